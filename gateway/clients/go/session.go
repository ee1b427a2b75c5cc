package florin

import (
	"context"
	"encoding/json"
	"sync"
	"time"
)

// Tokens are those of a session, which the client refreshes.
type Tokens struct {
	AccessToken  string `json:"accessToken"`
	RefreshToken string `json:"refreshToken"`
	// RefreshAt is when the access token is refreshed.
	RefreshAt time.Time `json:"refreshAt"`
	// UserID is empty while the wallet is not registered.
	UserID string `json:"userId,omitempty"`
}

type session struct {
	mutex    sync.Mutex
	tokens   *Tokens
	onChange func(*Tokens)
	// refreshing is held by the one call that refreshes for all.
	refreshing sync.Mutex
}

func (s *session) current() *Tokens {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.tokens
}

func (s *session) set(tokens *Tokens) {
	s.mutex.Lock()
	changed := tokens != s.tokens
	s.tokens = tokens
	s.mutex.Unlock()
	if changed && s.onChange != nil {
		s.onChange(tokens)
	}
}

// adopt takes over what a sign-in, a refresh or a registration returned; the last one leaves the refresh token as it is.
func (s *session) adopt(body []byte) error {
	var pair struct {
		AccessToken, RefreshToken, UserID string
		ExpiresIn                         int64
	}
	if err := json.Unmarshal(body, &pair); err != nil {
		return err
	}
	if known := s.current(); pair.RefreshToken == "" && known != nil {
		pair.RefreshToken = known.RefreshToken
	}
	life := time.Duration(pair.ExpiresIn) * time.Second
	// Half a minute before its end; of a short-lived token after nine tenths of its life.
	margin := min(30*time.Second, life/10)
	s.set(&Tokens{pair.AccessToken, pair.RefreshToken, time.Now().Add(life - margin), pair.UserID})
	return nil
}

func (s *session) observe(operation string, body []byte) error {
	switch operation {
	case "auth.signIn", "auth.refreshSession", "user.registerUser":
		return s.adopt(body)
	case "auth.logout", "auth.logoutAll", "user.eraseUser":
		s.set(nil)
	}
	return nil
}

func (s *session) isFresh(rejected string) (string, bool) {
	tokens := s.current()
	switch {
	case tokens == nil:
		return "", true
	case rejected == "":
		return tokens.AccessToken, tokens.RefreshAt.After(time.Now())
	default:
		return tokens.AccessToken, tokens.AccessToken != rejected
	}
}

// tokenOf returns the token of a request, another one than the rejected one if that is not empty; empty without a session.
func (c *Client) tokenOf(ctx context.Context, rejected string) (string, error) {
	if c.token != nil {
		return c.token(ctx)
	}
	if token, fresh := c.session.isFresh(rejected); fresh {
		return token, nil
	}
	c.session.refreshing.Lock()
	defer c.session.refreshing.Unlock()
	// Another call may just have refreshed.
	if token, fresh := c.session.isFresh(rejected); fresh {
		return token, nil
	}
	tokens := c.session.current()
	// Another call may have ended the session.
	if tokens == nil {
		return "", nil
	}
	_, err := c.Auth.RefreshSession(ctx, RefreshSessionInput{RefreshToken: tokens.RefreshToken})
	if found, ok := err.(*Error); ok && found.Status == 401 {
		c.session.set(nil)
		return "", nil
	}
	if err != nil {
		return "", err
	}
	if tokens = c.session.current(); tokens == nil {
		return "", nil
	}
	return tokens.AccessToken, nil
}
