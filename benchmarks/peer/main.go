// The native peer: what an author of a Pulumi provider would write in Go today, with the same schema as the guest that Bulkhead is
// measured with. Nothing is tuned on either side.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/pulumi/pulumi-go-provider/infer"
)

func main() {
	provider, err := infer.NewProviderBuilder().
		WithDescription("What is measured").
		WithLicense("Apache-2.0").
		WithResources(infer.Resource(RandomString{}), infer.Resource(Document{})).
		WithFunctions(infer.Function(PickWord{})).
		Build()
	if err == nil {
		err = provider.Run(context.Background(), "benchmark", "1.0.0")
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "error: failed to serve the peer: %v\n", err)
		os.Exit(1)
	}
}
