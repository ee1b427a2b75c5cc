package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"sync"
	"time"
)

// tokens adds a service token to each call. It signs a new one a minute before the last one expires.
type tokens struct {
	key     json.RawMessage
	service string
	scopes  []string

	mu    sync.Mutex
	last  string
	until time.Time
}

// GetRequestMetadata implements credentials.PerRPCCredentials.
func (t *tokens) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if time.Now().After(t.until) {
		var key struct{ D, Kid string }
		if err := json.Unmarshal(t.key, &key); err != nil {
			return nil, err
		}
		seed, err := base64.RawURLEncoding.DecodeString(key.D)
		if err != nil {
			return nil, err
		}
		if t.last, err = serviceToken(seed, key.Kid, t.service, t.scopes); err != nil {
			return nil, err
		}
		t.until = time.Now().Add(4 * time.Minute)
	}
	return map[string]string{"authorization": "Bearer " + t.last}, nil
}

// RequireTransportSecurity implements credentials.PerRPCCredentials. The ports of a private network are cleartext.
func (t *tokens) RequireTransportSecurity() bool { return false }
