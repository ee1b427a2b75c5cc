package florin

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"strings"
	"sync"
	"time"
)

const (
	tokenLife   = 300 * time.Second
	tokenMargin = 60 * time.Second
)

// PartnerKey is the key of a partner's server, an Ed25519 key as a JWK with kid and d.
type PartnerKey struct {
	Kid string `json:"kid"`
	D   string `json:"d"`
}

// PartnerTokens signs tokens that a partner's server sends, for the audience "events". Pass it to WithToken; it signs a token every four minutes.
func PartnerTokens(key PartnerKey, scopes ...string) (func(context.Context) (string, error), error) {
	seed, err := base64.RawURLEncoding.DecodeString(key.D)
	if err != nil || len(seed) != ed25519.SeedSize {
		return nil, problem("KEY_INVALID", "d must be the base64url form of 32 bytes", err)
	}
	private := ed25519.NewKeyFromSeed(seed)
	var mutex sync.Mutex
	var token string
	var until time.Time
	return func(context.Context) (string, error) {
		mutex.Lock()
		defer mutex.Unlock()
		now := time.Now()
		if now.Before(until.Add(-tokenMargin)) {
			return token, nil
		}
		header := map[string]any{"alg": "EdDSA", "typ": "florin-service+jwt", "kid": key.Kid}
		claims := map[string]any{
			"iss": key.Kid, "sub": key.Kid, "aud": "events", "scope": strings.Join(scopes, " "),
			"iat": now.Unix(), "exp": now.Add(tokenLife).Unix(),
		}
		signed := encodePart(header) + "." + encodePart(claims)
		token = signed + "." + base64.RawURLEncoding.EncodeToString(ed25519.Sign(private, []byte(signed)))
		until = now.Add(tokenLife)
		return token, nil
	}, nil
}

func encodePart(value any) string {
	text, _ := json.Marshal(value)
	return base64.RawURLEncoding.EncodeToString(text)
}
