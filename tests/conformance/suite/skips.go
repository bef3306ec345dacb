package main

// skips are the tests that can't judge a provider, and why.
var skips = map[string]string{
	"l3-deferred-outputs": "upstream's interpreter refuses the program for a cycle",
}

// inYAML are the tests whose programs are in YAML and run by the host for it, and why the interpreter won't do.
var inYAML = map[string]string{
	"l2-docs":                                "it looks at generated code",
	"l2-resource-config":                     "the interpreter leaves out the schema's plugin download URL",
	"l2-resource-read":                       "the interpreter doesn't know reads, and its program is written by hand",
	"l2-resource-option-plugin-download-url": "the interpreter leaves out the schema's plugin download URL",
}
