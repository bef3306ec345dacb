package main

import (
	"context"
	"errors"

	"github.com/pulumi/pulumi-go-provider/infer"
)

// PickWord is a function that is cheap to call.
type PickWord struct{}

// Annotate describes the function.
func (p *PickWord) Annotate(a infer.Annotator) {
	a.SetToken("index", "pickWord")
	a.Describe(p, "Picks one of some words.")
}

// PickWordArgs holds the words.
type PickWordArgs struct {
	Words []string `pulumi:"words"`
	At    int      `pulumi:"at"`
}

// Annotate describes the arguments.
func (p *PickWordArgs) Annotate(a infer.Annotator) {
	a.Describe(&p.Words, "The words to pick from.")
	a.Describe(&p.At, "Which one to pick, counted from 0.")
}

// PickWordResult is the word.
type PickWordResult struct {
	Word string `pulumi:"word"`
}

// Annotate describes the result.
func (p *PickWordResult) Annotate(a infer.Annotator) {
	a.Describe(&p.Word, "The word.")
}

// Invoke picks the word.
func (PickWord) Invoke(
	_ context.Context, request infer.FunctionRequest[PickWordArgs],
) (infer.FunctionResponse[PickWordResult], error) {
	words, at := request.Input.Words, request.Input.At
	if at < 0 || at >= len(words) {
		return infer.FunctionResponse[PickWordResult]{}, errors.New("there are fewer words")
	}
	return infer.FunctionResponse[PickWordResult]{Output: PickWordResult{Word: words[at]}}, nil
}
