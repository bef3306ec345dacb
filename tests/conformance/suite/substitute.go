package main

import (
	"context"
	"fmt"
	"sync"

	"github.com/blang/semver"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/pulumi/pulumi/pkg/v3/resource/plugin"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
)

// stand is where a package's plugin lies, and what it says of itself: asked once, since the tests' host asks for every program.
type stand struct {
	identity
	executable string
	engine     func() string
	running    *running

	once      sync.Once
	schema    *pulumirpc.GetSchemaResponse
	info      *pulumirpc.PluginInfo
	handshake *pulumirpc.ProviderHandshakeResponse
	err       error
}

// ask starts the plugin and asks what never changes.
func (s *stand) ask(request *pulumirpc.ProviderHandshakeRequest) error {
	s.once.Do(func() {
		itself, err := start(s.executable, s.engine())
		if err != nil {
			s.err = fmt.Errorf("start the plugin of %s: %w", s.identity, err)
			return
		}
		defer itself.stop()
		if s.handshake, s.err = itself.Handshake(context.Background(), request); s.err != nil {
			return
		}
		if s.info, s.err = itself.GetPluginInfo(context.Background(), &emptypb.Empty{}); s.err != nil {
			return
		}
		s.schema, s.err = itself.GetSchema(context.Background(), &pulumirpc.GetSchemaRequest{})
	})
	return s.err
}

// substitute takes the place of one of upstream's providers. What the engine says goes to the plugin as it is.
type substitute struct {
	plugin.UnimplementedProvider
	*stand
}

var handshake = &pulumirpc.ProviderHandshakeRequest{AcceptsByteString: true}

func (s *substitute) GetSchema(context.Context, plugin.GetSchemaRequest) (plugin.GetSchemaResponse, error) {
	if err := s.ask(handshake); err != nil {
		return plugin.GetSchemaResponse{}, err
	}
	return plugin.GetSchemaResponse{Schema: []byte(s.stand.schema.GetSchema())}, nil
}

func (s *substitute) GetPluginInfo(context.Context) (plugin.PluginInfo, error) {
	if err := s.ask(handshake); err != nil {
		return plugin.PluginInfo{}, err
	}
	version, err := semver.Parse(s.info.GetVersion())
	return plugin.PluginInfo{Version: &version}, err
}

// NewProviderServer is how the tests' host asks for the wire's side of a provider: a plugin for one engine.
func (s *substitute) NewProviderServer() pulumirpc.ResourceProviderServer {
	if s.Name == recorded {
		return &recording{ResourceProviderServer: &forward{stand: s.stand}}
	}
	return &forward{stand: s.stand}
}

// forward passes calls on to a plugin that it starts when the first call comes that isn't about the package as a whole.
type forward struct {
	pulumirpc.UnsafeResourceProviderServer
	*stand

	lock    sync.Mutex
	greeted *pulumirpc.ProviderHandshakeRequest
	started *process
}

func (f *forward) plugin() (*process, error) {
	f.lock.Lock()
	defer f.lock.Unlock()
	if f.started != nil {
		return f.started, nil
	}
	started, err := f.running.start(f.executable, f.engine())
	if err != nil {
		return nil, fmt.Errorf("start the plugin of %s: %w", f.identity, err)
	}
	if f.greeted != nil {
		if _, err := started.Handshake(context.Background(), f.greeted); err != nil {
			return nil, err
		}
	}
	f.started = started
	return started, nil
}

// pass makes a call of the plugin.
func pass[Request, Response any](
	ctx context.Context, f *forward, request Request,
	call func(pulumirpc.ResourceProviderClient, context.Context, Request, ...grpc.CallOption) (Response, error),
) (Response, error) {
	started, err := f.plugin()
	if err != nil {
		var none Response
		return none, err
	}
	return call(started.ResourceProviderClient, ctx, request)
}

type client = pulumirpc.ResourceProviderClient

func (f *forward) Handshake(
	ctx context.Context, request *pulumirpc.ProviderHandshakeRequest,
) (*pulumirpc.ProviderHandshakeResponse, error) {
	if err := f.ask(request); err != nil {
		return nil, err
	}
	f.lock.Lock()
	defer f.lock.Unlock()
	f.greeted = request
	return f.handshake, nil
}

func (f *forward) GetSchema(
	ctx context.Context, request *pulumirpc.GetSchemaRequest,
) (*pulumirpc.GetSchemaResponse, error) {
	if request.GetSubpackageName() == "" && f.ask(handshake) == nil {
		return f.schema, nil
	}
	return pass(ctx, f, request, client.GetSchema)
}

func (f *forward) GetPluginInfo(ctx context.Context, request *emptypb.Empty) (*pulumirpc.PluginInfo, error) {
	if f.ask(handshake) == nil {
		return f.info, nil
	}
	return pass(ctx, f, request, client.GetPluginInfo)
}

func (f *forward) Cancel(ctx context.Context, request *emptypb.Empty) (*emptypb.Empty, error) {
	f.lock.Lock()
	started := f.started
	f.lock.Unlock()
	if started == nil {
		return &emptypb.Empty{}, nil
	}
	return started.Cancel(ctx, request)
}

func (f *forward) Parameterize(
	ctx context.Context, request *pulumirpc.ParameterizeRequest,
) (*pulumirpc.ParameterizeResponse, error) {
	return pass(ctx, f, request, client.Parameterize)
}

func (f *forward) CheckConfig(ctx context.Context, request *pulumirpc.CheckRequest) (*pulumirpc.CheckResponse, error) {
	return pass(ctx, f, request, client.CheckConfig)
}

func (f *forward) DiffConfig(ctx context.Context, request *pulumirpc.DiffRequest) (*pulumirpc.DiffResponse, error) {
	return pass(ctx, f, request, client.DiffConfig)
}

func (f *forward) Configure(
	ctx context.Context, request *pulumirpc.ConfigureRequest,
) (*pulumirpc.ConfigureResponse, error) {
	return pass(ctx, f, request, client.Configure)
}

func (f *forward) Invoke(ctx context.Context, request *pulumirpc.InvokeRequest) (*pulumirpc.InvokeResponse, error) {
	return pass(ctx, f, request, client.Invoke)
}

func (f *forward) Call(ctx context.Context, request *pulumirpc.CallRequest) (*pulumirpc.CallResponse, error) {
	return pass(ctx, f, request, client.Call)
}

func (f *forward) Check(ctx context.Context, request *pulumirpc.CheckRequest) (*pulumirpc.CheckResponse, error) {
	return pass(ctx, f, request, client.Check)
}

func (f *forward) Diff(ctx context.Context, request *pulumirpc.DiffRequest) (*pulumirpc.DiffResponse, error) {
	return pass(ctx, f, request, client.Diff)
}

func (f *forward) Create(ctx context.Context, request *pulumirpc.CreateRequest) (*pulumirpc.CreateResponse, error) {
	return pass(ctx, f, request, client.Create)
}

func (f *forward) Read(ctx context.Context, request *pulumirpc.ReadRequest) (*pulumirpc.ReadResponse, error) {
	return pass(ctx, f, request, client.Read)
}

func (f *forward) Update(ctx context.Context, request *pulumirpc.UpdateRequest) (*pulumirpc.UpdateResponse, error) {
	return pass(ctx, f, request, client.Update)
}

func (f *forward) Delete(ctx context.Context, request *pulumirpc.DeleteRequest) (*emptypb.Empty, error) {
	return pass(ctx, f, request, client.Delete)
}

func (f *forward) Construct(
	ctx context.Context, request *pulumirpc.ConstructRequest,
) (*pulumirpc.ConstructResponse, error) {
	return pass(ctx, f, request, client.Construct)
}

func (f *forward) Attach(ctx context.Context, request *pulumirpc.PluginAttach) (*emptypb.Empty, error) {
	return pass(ctx, f, request, client.Attach)
}

func (f *forward) GetMapping(
	ctx context.Context, request *pulumirpc.GetMappingRequest,
) (*pulumirpc.GetMappingResponse, error) {
	return pass(ctx, f, request, client.GetMapping)
}

func (f *forward) GetMappings(
	ctx context.Context, request *pulumirpc.GetMappingsRequest,
) (*pulumirpc.GetMappingsResponse, error) {
	return pass(ctx, f, request, client.GetMappings)
}

// List has no caller in the tests.
func (f *forward) List(*pulumirpc.ListRequest, grpc.ServerStreamingServer[pulumirpc.ListResponse]) error {
	return fmt.Errorf("the conformance tests list nothing")
}
