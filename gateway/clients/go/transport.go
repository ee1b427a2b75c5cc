package florin

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	mathrand "math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const (
	maxPause = 8 * time.Second
	// A used refresh token returns the same pair for ten seconds, after which it would end the session.
	refreshWithin = 8 * time.Second
	maxBody       = 64 << 20
)

// route is how an operation is sent. Flags: s takes a token, b has a body, e is a stream of events, c is answered by a table as text.
type route struct {
	name, method, path, flags string
	// inQuery are the members that go into the query although there is a body.
	inQuery []string
}

func newRoute(name, method, path, flags string, inQuery ...string) route {
	return route{name, method, path, flags, inQuery}
}

func (r route) has(flag string) bool { return strings.Contains(r.flags, flag) }

// isKeyed reports whether the platform keeps the response of the call by its Idempotency-Key.
func (r route) isKeyed() bool { return r.method != http.MethodGet && r.has("s") }

// CallOption changes one call.
type CallOption func(*callOptions)

type callOptions struct {
	key     string
	timeout time.Duration
	retries int
	headers http.Header
}

// IdempotencyKey is the key of a mutation; by default a new one per call, which all of its attempts share. Choose one to repeat the call after the program was
// started again.
func IdempotencyKey(key string) CallOption { return func(o *callOptions) { o.key = key } }

// Timeout is the longest time of one attempt.
func Timeout(timeout time.Duration) CallOption { return func(o *callOptions) { o.timeout = timeout } }

// Retries is how often a failed attempt is repeated.
func Retries(retries int) CallOption { return func(o *callOptions) { o.retries = retries } }

// Header adds a header.
func Header(name, value string) CallOption {
	return func(o *callOptions) { o.headers.Set(name, value) }
}

// call performs an operation: with tokens and repeats.
func call[T any](ctx context.Context, c *Client, r route, in any, options []CallOption) (T, error) {
	var result T
	given, err := membersOf(in)
	if err != nil {
		return result, err
	}
	body, err := c.perform(ctx, r, given, options)
	if err != nil {
		return result, err
	}
	if text, ok := any(&result).(*string); ok && r.has("c") {
		*text = string(body.content)
		return result, nil
	}
	if err := json.Unmarshal(body.content, &result); err != nil {
		return result, &Error{Code: "UNEXPECTED_RESPONSE", Status: body.status, Operation: r.name, RequestID: body.requestID, RetryAfter: -1, cause: err}
	}
	return result, c.session.observe(r.name, body.content)
}

// all returns the rows of all pages of a list. Nothing is read before it is iterated.
func all[Row any](ctx context.Context, c *Client, r route, in any, options []CallOption) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		var none Row
		given, err := membersOf(in)
		for err == nil {
			var body response
			if body, err = c.perform(ctx, r, given, options); err != nil {
				break
			}
			var page struct {
				Data       []Row
				Pagination *struct {
					NextCursor *string
					HasNext    bool
				}
				Cursor  string
				HasMore bool
			}
			if err = json.Unmarshal(body.content, &page); err != nil {
				break
			}
			for _, row := range page.Data {
				if !yield(row, nil) {
					return
				}
			}
			switch next := page.Pagination; {
			case next != nil && next.HasNext && next.NextCursor != nil:
				given["cursor"], _ = json.Marshal(*next.NextCursor)
			case page.HasMore && page.Cursor != "":
				given["after"], _ = json.Marshal(page.Cursor)
			default:
				return
			}
		}
		yield(none, err)
	}
}

func membersOf(in any) (map[string]json.RawMessage, error) {
	members := map[string]json.RawMessage{}
	if in == nil {
		return members, nil
	}
	text, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	return members, json.Unmarshal(text, &members)
}

type response struct {
	status    int
	requestID string
	content   []byte
	// stream is open instead of content.
	stream io.ReadCloser
}

// attempt is what all attempts of a call share: one key and one id.
type attempt struct {
	route   route
	url     string
	body    []byte
	header  http.Header
	timeout time.Duration
}

var parameter = regexp.MustCompile(`\{(\w+)\}`)

func (c *Client) build(r route, given map[string]json.RawMessage, options []CallOption) (*attempt, callOptions, error) {
	o := callOptions{timeout: c.timeout, retries: c.retries, headers: http.Header{}}
	for _, option := range options {
		option(&o)
	}
	textOf := func(name string) string {
		var text string
		if json.Unmarshal(given[name], &text) == nil {
			return text
		}
		return string(given[name])
	}
	inPath := map[string]bool{}
	var err error
	path := parameter.ReplaceAllStringFunc(r.path, func(part string) string {
		name := part[1 : len(part)-1]
		inPath[name] = true
		text := textOf(name)
		if text == "" || text == "." || text == ".." {
			err = fmt.Errorf("florin: %s must not be empty or dots", name)
		}
		return url.PathEscape(text)
	})
	query, members := url.Values{}, map[string]json.RawMessage{}
	for name, value := range given {
		switch {
		case inPath[name]:
		case r.has("b") && !contains(r.inQuery, name):
			members[name] = value
		default:
			query.Set(name, textOf(name))
		}
	}
	a := &attempt{route: r, url: c.url + path, header: http.Header{"Accept": {"application/json"}, "X-Request-Id": {newID()}}, timeout: o.timeout}
	if len(query) > 0 {
		a.url += "?" + query.Encode()
	}
	if r.has("b") {
		a.header.Set("Content-Type", "application/json")
		a.body, _ = json.Marshal(members)
	}
	if r.isKeyed() {
		if o.key == "" {
			o.key = newID()
		}
		a.header.Set("Idempotency-Key", o.key)
	}
	if r.has("e") || r.has("c") {
		// They take as long as they take.
		a.timeout = 0
		a.header.Set("Accept", map[bool]string{true: "text/event-stream", false: "text/csv"}[r.has("e")])
	}
	for name, values := range o.headers {
		a.header[name] = values
	}
	return a, o, err
}

func contains(names []string, name string) bool {
	for _, one := range names {
		if one == name {
			return true
		}
	}
	return false
}

func (c *Client) perform(ctx context.Context, r route, given map[string]json.RawMessage, options []CallOption) (response, error) {
	a, o, err := c.build(r, given, options)
	if err != nil {
		return response{}, err
	}
	began := time.Now()
	isRefresh := r.name == "auth.refreshSession"
	isRepeatable := r.method == http.MethodGet || r.isKeyed() || isRefresh
	for failures := 1; ; failures++ {
		body, err := c.withToken(ctx, a)
		var failure *Error
		if err == nil || !errors.As(err, &failure) || failure.Operation != r.name || failures > o.retries || !c.canRepeat(failure, isRepeatable) {
			return body, err
		}
		pause := time.Duration(max(failure.RetryAfter, 0))*time.Second + backoff(failures, c.retryPause, maxPause)
		if isRefresh && time.Since(began)+pause > refreshWithin {
			return body, err
		}
		if err := c.sleep(ctx, pause); err != nil {
			return body, err
		}
	}
}

func (c *Client) canRepeat(e *Error, isRepeatable bool) bool {
	if e.RetryAfter >= 0 && time.Duration(e.RetryAfter)*time.Second > c.maxRetryAfter {
		return false
	}
	// These two were rejected before anything was done.
	if e.Status == http.StatusTooManyRequests {
		return e.RetryAfter >= 0
	}
	if e.Code == "IDEMPOTENCY_IN_PROGRESS" {
		return true
	}
	return isRepeatable && (e.Code == "NETWORK_ERROR" || e.Code == "TIMEOUT" || e.Status >= 502 && e.Status <= 504)
}

// backoff doubles with each failure up to a maximum, and is random in its upper half, so that clients do not return together.
func backoff(failures int, first, longest time.Duration) time.Duration {
	pause := min(first<<min(failures-1, 16), longest)
	return pause/2 + time.Duration(mathrand.Float64()*float64(pause/2))
}

// withToken is one attempt, and another one with a new token if the token was rejected.
func (c *Client) withToken(ctx context.Context, a *attempt) (response, error) {
	if !a.route.has("s") {
		return c.send(ctx, a, "")
	}
	token, err := c.tokenOf(ctx, "")
	if err != nil {
		return response{}, err
	}
	body, err := c.send(ctx, a, token)
	if token == "" || !IsCode(err, "UNAUTHORIZED") {
		return body, err
	}
	renewed, failure := c.tokenOf(ctx, token)
	if failure != nil {
		return body, failure
	}
	if renewed == "" || renewed == token {
		return body, err
	}
	return c.send(ctx, a, renewed)
}

func (c *Client) send(ctx context.Context, a *attempt, token string) (response, error) {
	within, cancel := ctx, context.CancelFunc(func() {})
	if a.timeout > 0 {
		within, cancel = context.WithTimeout(ctx, a.timeout)
	}
	defer cancel()
	requestID := a.header.Get("X-Request-Id")
	fail := func(err error) (response, error) {
		if ctx.Err() != nil {
			return response{}, ctx.Err()
		}
		code := "NETWORK_ERROR"
		if errors.Is(err, context.DeadlineExceeded) {
			code = "TIMEOUT"
		}
		return response{}, &Error{Code: code, Operation: a.route.name, RequestID: requestID, RetryAfter: -1, cause: err}
	}
	request, err := http.NewRequestWithContext(within, a.route.method, a.url, bytes.NewReader(a.body))
	if err != nil {
		return response{}, err
	}
	request.Header = a.header.Clone()
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	answer, err := c.http.Do(request)
	if err != nil {
		return fail(err)
	}
	if id := answer.Header.Get("X-Request-Id"); id != "" {
		requestID = id
	}
	isGood := answer.StatusCode >= 200 && answer.StatusCode < 300
	if isGood && a.route.has("e") {
		return response{status: answer.StatusCode, requestID: requestID, stream: answer.Body}, nil
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(io.LimitReader(answer.Body, maxBody))
	if err != nil {
		return fail(err)
	}
	if !isGood {
		return response{}, errorOf(a.route, requestID, answer, content)
	}
	return response{status: answer.StatusCode, requestID: requestID, content: content}, nil
}

var (
	tokenReason = regexp.MustCompile(`error_description="([^"]+)"`)
	titleReason = regexp.MustCompile(`title="([^"]+)"`)
)

// errorOf is the error in a response, in one of the platform's two shapes.
func errorOf(r route, requestID string, answer *http.Response, content []byte) *Error {
	found := &Error{Code: "UNEXPECTED_RESPONSE", Status: answer.StatusCode, Operation: r.name, RequestID: requestID, RetryAfter: -1}
	var simple struct{ Error string }
	var validation struct{ Error struct{ Message string } }
	if json.Unmarshal(content, &simple) == nil && simple.Error != "" {
		found.Code = simple.Error
	} else if json.Unmarshal(content, &validation) == nil && validation.Error.Message != "" {
		found.Code, found.Message = "VALIDATION_FAILED", validation.Error.Message
	}
	// Beside a code, a header says why: of a token, or in the title of the link to the catalogue.
	for _, reason := range [][]string{
		tokenReason.FindStringSubmatch(answer.Header.Get("WWW-Authenticate")), titleReason.FindStringSubmatch(answer.Header.Get("Link")),
	} {
		if found.Message == "" && reason != nil {
			found.Message = reason[1]
		}
	}
	if seconds, err := strconv.Atoi(answer.Header.Get("Retry-After")); err == nil && seconds >= 0 {
		found.RetryAfter = seconds
	}
	return found
}

// newID returns a random UUID (version 4).
func newID() string {
	var b [16]byte
	_, _ = rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
