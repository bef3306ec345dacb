package main

import (
	"context"
	"encoding/json"
	"sync"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/pulumi/pulumi/pkg/v3/testing/pulumi-test-language/providers"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
)

// recording notes how configuration travels. Some tests look at the requests that a provider got, and find them in the state of a
// resource; upstream's provider writes them there, and a component never sees them.
type recording struct {
	pulumirpc.ResourceProviderServer

	lock        sync.Mutex
	checked     providers.RPCRequest
	configuring providers.RPCRequest
}

// recorded is the package whose requests are looked at.
const recorded = "config-grpc"

func (r *recording) note(entry *providers.RPCRequest, method providers.RPCMethod, request proto.Message) error {
	message, err := protojson.Marshal(request)
	if err != nil {
		return err
	}
	r.lock.Lock()
	defer r.lock.Unlock()
	*entry = providers.RPCRequest{Method: method, Message: message}
	return nil
}

func (r *recording) CheckConfig(ctx context.Context, request *pulumirpc.CheckRequest) (*pulumirpc.CheckResponse, error) {
	if err := r.note(&r.checked, providers.CheckConfigMethod, request); err != nil {
		return nil, err
	}
	return r.ResourceProviderServer.CheckConfig(ctx, request)
}

func (r *recording) Configure(
	ctx context.Context, request *pulumirpc.ConfigureRequest,
) (*pulumirpc.ConfigureResponse, error) {
	if err := r.note(&r.configuring, providers.ConfigureMethod, request); err != nil {
		return nil, err
	}
	return r.ResourceProviderServer.Configure(ctx, request)
}

// Create lets the plugin create the resource, and adds what was noted.
func (r *recording) Create(ctx context.Context, request *pulumirpc.CreateRequest) (*pulumirpc.CreateResponse, error) {
	response, err := r.ResourceProviderServer.Create(ctx, request)
	if err != nil || request.GetPreview() {
		return response, err
	}
	r.lock.Lock()
	defer r.lock.Unlock()
	notes, err := json.Marshal([]providers.RPCRequest{r.checked, r.configuring})
	if err != nil {
		return nil, err
	}
	response.GetProperties().GetFields()["config"] = structpb.NewStringValue(string(notes))
	return response, nil
}
