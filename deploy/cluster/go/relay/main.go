// Command relay stands in for an engine in a pod: it forwards the connections of a port to the engine, which runs outside of the cluster.
// With the name of an engine's own client (mongosh, redis-cli) it is that engine's probe: it exits with 0 when the engine accepts a connection.
package main

import (
	"io"
	"log"
	"net"
	"os"
	"path/filepath"
	"time"
)

// halfCloser is the half of a TCP connection that can be closed by itself.
type halfCloser interface{ CloseWrite() error }

func forward(to, from net.Conn, done chan<- struct{}) {
	io.Copy(to, from)
	if half, ok := to.(halfCloser); ok {
		half.CloseWrite()
	}
	done <- struct{}{}
}

func serve(client net.Conn, target string) {
	defer client.Close()
	engine, err := net.DialTimeout("tcp", target, 5*time.Second)
	if err != nil {
		log.Print(err)
		return
	}
	defer engine.Close()
	done := make(chan struct{}, 2)
	go forward(engine, client, done)
	go forward(client, engine, done)
	<-done
	<-done
}

func main() {
	listen, target := os.Getenv("RELAY_LISTEN"), os.Getenv("RELAY_TARGET")
	if filepath.Base(os.Args[0]) != "relay" {
		probe, err := net.DialTimeout("tcp", target, 2*time.Second)
		if err != nil {
			log.Fatal(err)
		}
		probe.Close()
		return
	}
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		log.Fatal(err)
	}
	for {
		client, err := listener.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go serve(client, target)
	}
}
