package florin

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"strings"
	"time"
)

const (
	// The platform sends something every 15 seconds.
	silence                      = 45 * time.Second
	firstReconnect, maxReconnect = time.Second, 30 * time.Second
	// The longest Retry-After of a stream that is believed, in seconds.
	maxRetryAfter = 300
	// The longest line. The platform's are a few thousand bytes.
	maxLine = 1_000_000
)

// ServerEvent is one event of a stream. ID is the LastEventID that resumes after it.
type ServerEvent struct {
	ID, Event string
	Data      json.RawMessage
}

// Decode reads the data of an event, for example a ThreeDSChallengeDetailResponse or an Event.
func (e ServerEvent) Decode(target any) error { return json.Unmarshal(e.Data, target) }

// StreamOption changes one stream.
type StreamOption func(*streamOptions)

type streamOptions struct {
	lastID  string
	onState func(string, error)
}

// LastEventID is the id of the last event that was read earlier: the stream goes on after it.
func LastEventID(id string) StreamOption { return func(o *streamOptions) { o.lastID = id } }

// OnState is called with "open", and with "waiting" and the reason when the connection was lost.
func OnState(listener func(state string, reason error)) StreamOption {
	return func(o *streamOptions) { o.onState = listener }
}

// watch reads a stream, and connects again where it was lost. The event "end", by which the platform announces the end of a connection, is not passed on. It ends
// with the context, or with an error that a new connection cannot cure.
func watch(ctx context.Context, c *Client, r route, in any, options []StreamOption) iter.Seq2[ServerEvent, error] {
	o := streamOptions{onState: func(string, error) {}}
	for _, option := range options {
		option(&o)
	}
	return func(yield func(ServerEvent, error) bool) {
		given, err := membersOf(in)
		if err != nil {
			yield(ServerEvent{}, err)
			return
		}
		lastID := o.lastID
		for failures := 1; ctx.Err() == nil; failures++ {
			stopped := false
			err := c.readStream(ctx, r, given, lastID, &o, func(event ServerEvent) bool {
				failures, lastID = 0, event.ID
				stopped = !yield(event, nil)
				return !stopped
			})
			if stopped || ctx.Err() != nil {
				return
			}
			var failure *Error
			least := 0
			if errors.As(err, &failure) {
				if failure.Status > 0 && failure.Status < 500 && failure.Status != 429 {
					yield(ServerEvent{}, err)
					return
				}
				least = min(max(failure.RetryAfter, 0), maxRetryAfter)
			}
			o.onState("waiting", err)
			pause := time.Duration(least)*time.Second + backoff(max(failures, 1), firstReconnect, maxReconnect)
			if c.sleep(ctx, pause) != nil {
				return
			}
		}
	}
}

// readStream reads one connection. It returns nil when the platform or the reader ended it.
func (c *Client) readStream(ctx context.Context, r route, given map[string]json.RawMessage, lastID string, o *streamOptions, take func(ServerEvent) bool) error {
	var options []CallOption
	if lastID != "" {
		options = append(options, Header("Last-Event-ID", lastID))
	}
	a, _, err := c.build(r, given, options)
	if err != nil {
		return err
	}
	within, cancel := context.WithCancel(ctx)
	defer cancel()
	// A connection is given up after a silence.
	timer := time.AfterFunc(silence, cancel)
	defer timer.Stop()
	opened, err := c.withToken(within, a)
	if err != nil {
		return err
	}
	defer opened.stream.Close()
	o.onState("open", nil)
	return readEvents(opened.stream, func() { timer.Reset(silence) }, take)
}

// readEvents reads server-sent events (WHATWG HTML, section 9.2.6). It keeps the last id for events that have none, and drops a block that ends with the connection.
func readEvents(stream io.Reader, heard func(), take func(ServerEvent) bool) error {
	lines := bufio.NewScanner(stream)
	lines.Buffer(nil, maxLine)
	lines.Split(splitLines)
	var event ServerEvent
	var data []string
	for lines.Scan() {
		heard()
		line := lines.Text()
		if line == "" {
			if event.Event == "end" {
				return nil
			}
			if len(data) > 0 {
				event.Data = json.RawMessage(strings.Join(data, "\n"))
				if event.Event == "" {
					event.Event = "message"
				}
				if !json.Valid(event.Data) {
					return errors.New("florin: the data of an event is not JSON")
				}
				if !take(event) {
					return nil
				}
			}
			event, data = ServerEvent{ID: event.ID}, nil
			continue
		}
		field, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch field {
		case "data":
			data = append(data, value)
		case "event":
			event.Event = value
		case "id":
			if !strings.Contains(value, "\x00") {
				event.ID = value
			}
		}
	}
	return lines.Err()
}

// splitLines ends lines with \n, \r\n or \r.
func splitLines(data []byte, atEOF bool) (int, []byte, error) {
	for i, b := range data {
		switch {
		case b == '\n':
			return i + 1, data[:i], nil
		case b == '\r' && i+1 < len(data):
			if data[i+1] == '\n' {
				return i + 2, data[:i], nil
			}
			return i + 1, data[:i], nil
		case b == '\r' && atEOF:
			return i + 1, data[:i], nil
		}
	}
	return 0, nil, nil
}
