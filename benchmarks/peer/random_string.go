package main

import (
	"context"
	"math/rand/v2"

	"github.com/pulumi/pulumi-go-provider/infer"
)

const (
	letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	special = "!@#$%&*()-_=+[]{}<>:?"
)

// RandomString is a resource that is cheap to make, so that what is around it is measured.
type RandomString struct{}

// Annotate describes the resource.
func (r *RandomString) Annotate(a infer.Annotator) {
	a.SetToken("index", "RandomString")
	a.Describe(r, "A random string.")
}

// RandomStringArgs says what the string is to look like.
type RandomStringArgs struct {
	Length  int   `pulumi:"length" provider:"replaceOnChanges"`
	Special *bool `pulumi:"special,optional" provider:"replaceOnChanges"`
}

// Annotate describes the inputs.
func (r *RandomStringArgs) Annotate(a infer.Annotator) {
	a.Describe(&r.Length, "How many characters the string has.")
	a.Describe(&r.Special, "Whether special characters are used.")
	a.SetDefault(&r.Special, true)
}

// RandomStringState is the string.
type RandomStringState struct {
	RandomStringArgs
	Result string `pulumi:"result"`
}

// Annotate describes the outputs.
func (r *RandomStringState) Annotate(a infer.Annotator) {
	a.Describe(&r.Result, "The string.")
}

// Create draws the string.
func (RandomString) Create(
	_ context.Context, request infer.CreateRequest[RandomStringArgs],
) (infer.CreateResponse[RandomStringState], error) {
	state := RandomStringState{RandomStringArgs: request.Inputs}
	if request.DryRun {
		return infer.CreateResponse[RandomStringState]{ID: "preview", Output: state}, nil
	}
	characters := letters
	if request.Inputs.Special == nil || *request.Inputs.Special {
		characters += special
	}
	drawn := make([]byte, request.Inputs.Length)
	for i := range drawn {
		drawn[i] = characters[rand.IntN(len(characters))]
	}
	state.Result = string(drawn)
	return infer.CreateResponse[RandomStringState]{ID: state.Result, Output: state}, nil
}
