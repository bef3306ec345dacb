package main

import (
	"context"

	"github.com/pulumi/pulumi-go-provider/infer"
)

// Document is a resource with a value of any shape and size.
type Document struct{}

// Annotate describes the resource.
func (d *Document) Annotate(a infer.Annotator) {
	a.SetToken("index", "Document")
	a.Describe(d, "A value of any shape, kept as it is.")
}

// DocumentArgs holds the value.
type DocumentArgs struct {
	Content any `pulumi:"content"`
}

// Annotate describes the inputs.
func (d *DocumentArgs) Annotate(a infer.Annotator) {
	a.Describe(&d.Content, "The value.")
}

// DocumentState holds the same value.
type DocumentState struct {
	DocumentArgs
}

// Create keeps the value.
func (Document) Create(
	_ context.Context, request infer.CreateRequest[DocumentArgs],
) (infer.CreateResponse[DocumentState], error) {
	return infer.CreateResponse[DocumentState]{ID: "document", Output: DocumentState{request.Inputs}}, nil
}
