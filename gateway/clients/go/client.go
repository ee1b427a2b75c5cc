// Package florin is a client of Florin's REST interface.
package florin

import (
	"context"
	"net/http"
	"strings"
	"time"
)

// Client has the operations by group, for example client.Cards.ListCards. Goroutines may share it. It sends nothing before its first call.
type Client struct {
	Operations
	url           string
	http          *http.Client
	token         func(context.Context) (string, error)
	session       session
	timeout       time.Duration
	retries       int
	retryPause    time.Duration
	maxRetryAfter time.Duration
	sleep         func(context.Context, time.Duration) error
}

// Option changes a client.
type Option func(*Client)

// WithTokens continues a session that was stored.
func WithTokens(tokens Tokens) Option { return func(c *Client) { c.session.tokens = &tokens } }

// OnTokens is called with the session's tokens whenever they change, and with nil when it is over. Keep them where only your program can read them.
func OnTokens(listener func(*Tokens)) Option {
	return func(c *Client) { c.session.onChange = listener }
}

// WithToken gives the token of each request, instead of a session.
func WithToken(source func(context.Context) (string, error)) Option {
	return func(c *Client) { c.token = source }
}

// WithHTTPClient sends requests with another HTTP client. It must not follow redirects, which could carry a token to another origin.
func WithHTTPClient(client *http.Client) Option { return func(c *Client) { c.http = client } }

// WithTimeout is the longest time of one attempt; 20 seconds by default.
func WithTimeout(timeout time.Duration) Option { return func(c *Client) { c.timeout = timeout } }

// WithRetries sets how often a failed attempt is repeated, and the pause before the first repeat; three times and half a second by default.
func WithRetries(retries int, pause time.Duration) Option {
	return func(c *Client) { c.retries, c.retryPause = retries, pause }
}

// New creates a client of the gateway at an address such as https://api.example.com.
func New(url string, options ...Option) *Client {
	client := &Client{
		url: strings.TrimRight(url, "/"),
		http: &http.Client{
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		timeout:       20 * time.Second,
		retries:       3,
		retryPause:    500 * time.Millisecond,
		maxRetryAfter: 10 * time.Second,
		sleep:         sleep,
	}
	for _, option := range options {
		option(client)
	}
	client.Operations = newOperations(client)
	return client
}

// Tokens returns the session's tokens; nil without a session.
func (c *Client) Tokens() *Tokens { return c.session.current() }

// EndSession logs out. The tokens are forgotten in any case.
func (c *Client) EndSession(ctx context.Context) error {
	_, err := c.Auth.Logout(ctx)
	c.session.set(nil)
	return err
}

func sleep(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
