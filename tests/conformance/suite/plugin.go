package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/pulumi/pulumi/sdk/v3/go/common/util/rpcutil"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
)

// process is a plugin that runs, as an engine starts one: its port on stdout, a pipe that keeps it alive on stdin.
type process struct {
	pulumirpc.ResourceProviderClient
	command    *exec.Cmd
	alive      io.Closer
	connection *grpc.ClientConn
}

// start starts a plugin for the engine at an address.
func start(executable, engine string) (*process, error) {
	command := exec.Command(executable, engine)
	command.Stderr = os.Stderr
	// What is granted stands beside the component.
	command.Dir = filepath.Dir(executable)
	alive, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	said, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	itself := &process{command: command, alive: alive}
	line, err := bufio.NewReader(said).ReadString('\n')
	if err != nil {
		itself.stop()
		return nil, fmt.Errorf("read the port of %s: %w", executable, err)
	}
	port, err := strconv.ParseUint(strings.TrimSpace(line), 10, 16)
	if err != nil {
		itself.stop()
		return nil, fmt.Errorf("read the port of %s: %w", executable, err)
	}
	itself.connection, err = grpc.NewClient(fmt.Sprintf("127.0.0.1:%d", port),
		grpc.WithTransportCredentials(insecure.NewCredentials()), rpcutil.GrpcChannelOptions())
	if err != nil {
		itself.stop()
		return nil, err
	}
	itself.ResourceProviderClient = pulumirpc.NewResourceProviderClient(itself.connection)
	return itself, nil
}

// stop ends the plugin as an engine does that leaves, and waits for it.
func (p *process) stop() {
	if p.connection != nil {
		p.connection.Close()
	}
	p.alive.Close()
	// How it ended says nothing about the tests: they are over.
	_ = p.command.Wait()
}

// running keeps the plugins that a test started, to stop them at its end: the tests' host never closes providers.
type running struct {
	lock      sync.Mutex
	processes []*process
}

func (r *running) start(executable, engine string) (*process, error) {
	itself, err := start(executable, engine)
	if err != nil {
		return nil, err
	}
	r.lock.Lock()
	defer r.lock.Unlock()
	r.processes = append(r.processes, itself)
	return itself, nil
}

func (r *running) stop() {
	r.lock.Lock()
	defer r.lock.Unlock()
	for _, itself := range r.processes {
		itself.stop()
	}
	r.processes = nil
}
