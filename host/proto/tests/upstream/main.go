// Command upstream writes the descriptors that Pulumi's own SDK was compiled from to stdout, as a FileDescriptorSet.
//
// ../upstream.rs holds our .proto files against them.
package main

import (
	"log"
	"os"

	_ "github.com/pulumi/pulumi/sdk/v3/proto/go"
	_ "github.com/pulumi/pulumi/sdk/v3/proto/go/codegen"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
)

func main() {
	var set descriptorpb.FileDescriptorSet
	protoregistry.GlobalFiles.RangeFiles(func(file protoreflect.FileDescriptor) bool {
		set.File = append(set.File, protodesc.ToFileDescriptorProto(file))
		return true
	})
	encoded, err := proto.Marshal(&set)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := os.Stdout.Write(encoded); err != nil {
		log.Fatal(err)
	}
}
