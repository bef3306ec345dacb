package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

// repository answers for the web. One test refers to files of the tests by their addresses on GitHub; they are part of the module
// that this program is built from, so a run needs no network, and gets none.
type repository struct {
	testdata fs.FS
}

// addresses is what the addresses of the tests' files start with; the commit follows.
const addresses = "https://raw.githubusercontent.com/pulumi/pulumi/"

func (r repository) RoundTrip(request *http.Request) (*http.Response, error) {
	address := request.URL.String()
	_, file, found := strings.Cut(address, "/tests/testdata/")
	if !found || !strings.HasPrefix(address, addresses) {
		return nil, fmt.Errorf("the conformance tests have no network for %s", address)
	}
	contents, err := fs.ReadFile(r.testdata, path.Join("testdata", file))
	if err != nil {
		return nil, err
	}
	return &http.Response{
		Status: "200 OK", StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: request,
		Body: io.NopCloser(bytes.NewReader(contents)), ContentLength: int64(len(contents)),
	}, nil
}
