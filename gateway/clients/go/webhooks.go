package florin

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

const (
	tolerance = 5 * time.Minute
	// Least time between two requests for newer keys, so that forged signatures cause few.
	keysPause = 30 * time.Second
	// How long keys are used before they are fetched again.
	keysFresh = 10 * time.Minute
	// A sender that replaces a secret or a key signs with two of each.
	maxSignatures = 10
)

var (
	webhookID        = regexp.MustCompile(`^[\x21-\x2d\x2f-\x7e]{1,256}$`)
	webhookTimestamp = regexp.MustCompile(`^[0-9]{1,12}$`)
)

// PublicKey is an Ed25519 key as a JWK.
type PublicKey struct {
	Kty string `json:"kty"`
	Crv string `json:"crv"`
	X   string `json:"x"`
	Use string `json:"use,omitempty"`
}

// Delivery is a delivery whose signature is right.
type Delivery struct {
	// ID is the header webhook-id. Repeats of a delivery have the same one.
	ID string
	// SentAt is not when the event happened.
	SentAt time.Time
	// Type is the event's, checkpoint, or one that this version does not know.
	Type string
	Body json.RawMessage
}

// Event returns the event that was delivered; false for a checkpoint. A test has the sequence 0 and belongs to no feed.
func (d Delivery) Event() (Event, bool) {
	var event Event
	err := json.Unmarshal(d.Body, &event)
	return event, err == nil && d.Type != "checkpoint" && event.Subject != ""
}

// Checkpoint returns the checkpoint that was delivered; false for an event.
func (d Delivery) Checkpoint() (EventCheckpoint, bool) {
	var checkpoint EventCheckpoint
	err := json.Unmarshal(d.Body, &checkpoint)
	return checkpoint, err == nil && d.Type == "checkpoint"
}

// WebhookVerifier verifies deliveries to one endpoint (Standard Webhooks 1.0).
type WebhookVerifier struct {
	// Secrets of the endpoint, whsec_…: any of them may have signed.
	Secrets []string
	// Keys gets the platform's public keys. They sign the deliveries to everybody's endpoints, so that they need an EndpointID.
	Keys       func() ([]PublicKey, error)
	EndpointID string
	// Now is the clock; time.Now by default.
	Now func() time.Time

	mutex            sync.Mutex
	known            []PublicKey
	knownAt, askedAt time.Time
}

// Verify takes the body as it came: not parsed and serialized again. Answer 503 to KEYS_UNAVAILABLE, 400 to every other error.
func (v *WebhookVerifier) Verify(body []byte, header http.Header) (Delivery, error) {
	now := time.Now()
	if v.Now != nil {
		now = v.Now()
	}
	secrets, err := v.secrets()
	if err != nil {
		return Delivery{}, err
	}
	id, err := webhookHeader(header, "webhook-id", webhookID)
	if err != nil {
		return Delivery{}, err
	}
	timestamp, err := webhookHeader(header, "webhook-timestamp", webhookTimestamp)
	if err != nil {
		return Delivery{}, err
	}
	signatures, err := webhookHeader(header, "webhook-signature", nil)
	if err != nil {
		return Delivery{}, err
	}
	parts := strings.Fields(signatures)
	if len(parts) > maxSignatures {
		return Delivery{}, problem("HEADER_INVALID", "the header webhook-signature has too many signatures", nil)
	}
	seconds, _ := strconv.ParseInt(timestamp, 10, 64)
	sentAt := time.Unix(seconds, 0)
	if age := now.Sub(sentAt); age > tolerance {
		return Delivery{}, problem("TIMESTAMP_TOO_OLD", "the delivery was sent too long ago", nil)
	} else if age < -tolerance {
		return Delivery{}, problem("TIMESTAMP_TOO_NEW", "the delivery was sent in the future", nil)
	}
	signed := append([]byte(id+"."+timestamp+"."), body...)
	if ok, err := v.isSigned(parts, signed, secrets, now); err != nil {
		return Delivery{}, err
	} else if !ok {
		return Delivery{}, problem("SIGNATURE_INVALID", "no signature fits a secret or key of this endpoint", nil)
	}
	var message struct{ Type, EndpointID string }
	if err := json.Unmarshal(body, &message); err != nil || message.Type == "" || !utf8.Valid(body) {
		return Delivery{}, problem("BODY_INVALID", "the body is not a JSON object with a type", err)
	}
	if v.EndpointID != "" && message.EndpointID != v.EndpointID {
		return Delivery{}, problem("ENDPOINT_MISMATCH", "the delivery is for another endpoint", nil)
	}
	return Delivery{id, sentAt, message.Type, body}, nil
}

func (v *WebhookVerifier) secrets() ([][]byte, error) {
	if len(v.Secrets) == 0 && v.Keys == nil {
		return nil, problem("SECRET_INVALID", "a secret or a key is required", nil)
	}
	if v.Keys != nil && v.EndpointID == "" {
		return nil, problem("ENDPOINT_INVALID", "keys need an EndpointID: they sign the deliveries to all endpoints", nil)
	}
	var secrets [][]byte
	for _, secret := range v.Secrets {
		text, isPrefixed := strings.CutPrefix(secret, "whsec_")
		found, err := base64.StdEncoding.DecodeString(text)
		if !isPrefixed || err != nil || len(found) < 24 || len(found) > 64 {
			return nil, problem("SECRET_INVALID", "a secret must be whsec_ and the base64 form of 24 to 64 bytes", nil)
		}
		secrets = append(secrets, found)
	}
	return secrets, nil
}

func (v *WebhookVerifier) isSigned(parts []string, signed []byte, secrets [][]byte, now time.Time) (bool, error) {
	byVersion := map[string][][]byte{}
	for _, part := range parts {
		version, text, _ := strings.Cut(part, ",")
		if found, err := base64.StdEncoding.DecodeString(text); err == nil && len(found) > 0 {
			byVersion[version] = append(byVersion[version], found)
		}
	}
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, secret)
		mac.Write(signed)
		for _, found := range byVersion["v1"] {
			if hmac.Equal(found, mac.Sum(nil)) {
				return true, nil
			}
		}
	}
	if v.Keys == nil || len(byVersion["v1a"]) == 0 {
		return false, nil
	}
	keys, _, err := v.keys(now, false)
	if err != nil || fitsKey(keys, byVersion["v1a"], signed) {
		return err == nil, err
	}
	fresh, isFresh, err := v.keys(now, true)
	return isFresh && fitsKey(fresh, byVersion["v1a"], signed), err
}

// keys returns the published keys, and whether they were fetched now. While the sender cannot be reached, the last ones stay in use.
func (v *WebhookVerifier) keys(now time.Time, again bool) ([]PublicKey, bool, error) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	isWanted := v.known == nil || again || now.Sub(v.knownAt) >= keysFresh
	if !isWanted || v.known != nil && now.Sub(v.askedAt) < keysPause {
		return v.known, false, nil
	}
	v.askedAt = now
	found, err := v.Keys()
	if err != nil {
		if v.known == nil {
			return nil, false, problem("KEYS_UNAVAILABLE", "the keys of the sender cannot be fetched", err)
		}
		return v.known, false, nil
	}
	v.known, v.knownAt = append([]PublicKey{}, found...), now
	return v.known, true, nil
}

func fitsKey(keys []PublicKey, signatures [][]byte, signed []byte) bool {
	for _, key := range keys {
		// Other keys of the set serve other purposes.
		public, err := base64.RawURLEncoding.DecodeString(key.X)
		if key.Kty != "OKP" || key.Crv != "Ed25519" || key.Use != "" && key.Use != "sig" || err != nil || len(public) != ed25519.PublicKeySize {
			continue
		}
		for _, signature := range signatures {
			if ed25519.Verify(public, signed, signature) {
				return true
			}
		}
	}
	return false
}

func webhookHeader(header http.Header, name string, form *regexp.Regexp) (string, error) {
	text := header.Get(name)
	if text == "" {
		return "", problem("HEADER_MISSING", "the header "+name+" is missing", nil)
	}
	if len(text) > 4096 || form != nil && !form.MatchString(text) {
		return "", problem("HEADER_INVALID", "the header "+name+" has another form", nil)
	}
	return text, nil
}

const (
	maxAhead    = 10_000
	maxSubjects = 10_000
)

// Taken is the outcome of an event: TakenNew; TakenRepeat, taken before; TakenLate, new, but a later change of its subject was taken before.
type Taken string

const (
	TakenNew    Taken = "new"
	TakenRepeat Taken = "repeat"
	TakenLate   Taken = "late"
)

// FeedPlace is an event that was taken after a gap.
type FeedPlace struct {
	ID               string `json:"id"`
	Sequence         int64  `json:"sequence"`
	PreviousSequence int64  `json:"previousSequence"`
}

// FeedState is a checker's state as JSON, to be stored with the effects of the events.
type FeedState struct {
	CompleteTo int64       `json:"completeTo"`
	Ahead      []FeedPlace `json:"ahead"`
}

// FeedChecker proves by what a reader receives alone that nothing is missing: each event names the one before it that the reader's filter lets through, and a
// checkpoint the last one. Events may come in any order and more than once. A reader that changes its filter begins a new checker at CompleteTo. It is not for
// several goroutines at once.
type FeedChecker struct {
	completeTo int64
	ahead      map[int64]FeedPlace
	following  map[int64]int64
	changes    map[string]int64
}

// NewFeedChecker makes a checker of what follows a cursor, for example acme:1042; of the whole feed if it is empty.
func NewFeedChecker(after string) (*FeedChecker, error) {
	if after == "" {
		after = "0"
	}
	place, err := strconv.ParseInt(after[strings.LastIndex(after, ":")+1:], 10, 64)
	if err != nil || place < 0 {
		return nil, problem("CURSOR_INVALID", "after must be a cursor", err)
	}
	return RestoreFeedChecker(FeedState{CompleteTo: place}), nil
}

// RestoreFeedChecker goes on from the state of an earlier checker.
func RestoreFeedChecker(state FeedState) *FeedChecker {
	checker := &FeedChecker{state.CompleteTo, map[int64]FeedPlace{}, map[int64]int64{}, map[string]int64{}}
	for _, one := range state.Ahead {
		checker.ahead[one.Sequence] = one
		checker.following[one.PreviousSequence] = one.Sequence
	}
	return checker
}

// Take takes an event. It returns EVENT_CONFLICT if another event has its place, and TOO_MANY_AHEAD if the gap should be filled first.
func (f *FeedChecker) Take(event Event) (Taken, error) {
	one := FeedPlace{event.ID, event.Sequence, event.PreviousSequence}
	known, isKnown := f.ahead[one.Sequence]
	if isKnown && known != one {
		return "", problem("EVENT_CONFLICT", fmt.Sprintf("two events claim the place %d", one.Sequence), nil)
	}
	if isKnown || one.Sequence <= f.completeTo {
		return TakenRepeat, nil
	}
	if one.PreviousSequence > f.completeTo {
		if _, isTaken := f.following[one.PreviousSequence]; isTaken {
			return "", problem("EVENT_CONFLICT", fmt.Sprintf("two events claim the place %d", one.Sequence), nil)
		}
		if len(f.ahead) >= maxAhead {
			return "", problem("TOO_MANY_AHEAD", fmt.Sprintf("too many events wait for those after %d", f.completeTo), nil)
		}
		f.ahead[one.Sequence] = one
		f.following[one.PreviousSequence] = one.Sequence
	} else {
		f.completeTo = one.Sequence
		for next, ok := f.following[f.completeTo]; ok; next, ok = f.following[f.completeTo] {
			delete(f.following, f.completeTo)
			delete(f.ahead, next)
			f.completeTo = next
		}
	}
	last := f.changes[event.Subject]
	if event.SubjectSequence < last {
		return TakenLate, nil
	}
	if len(f.changes) >= maxSubjects {
		// Which changes are forgotten does not matter: TakenLate is a hint.
		clear(f.changes)
	}
	f.changes[event.Subject] = event.SubjectSequence
	return TakenNew, nil
}

// IsComplete reports whether everything up to a checkpoint was taken.
func (f *FeedChecker) IsComplete(checkpoint EventCheckpoint) bool {
	return checkpoint.PreviousSequence <= f.completeTo
}

// CompleteTo is the place up to which nothing is missing. Reading the events after it fills every gap.
func (f *FeedChecker) CompleteTo() int64 { return f.completeTo }

// HasGaps reports whether something is missing before what was taken.
func (f *FeedChecker) HasGaps() bool { return len(f.ahead) > 0 }

// State returns what RestoreFeedChecker takes.
func (f *FeedChecker) State() FeedState {
	state := FeedState{CompleteTo: f.completeTo, Ahead: []FeedPlace{}}
	for _, one := range f.ahead {
		state.Ahead = append(state.Ahead, one)
	}
	return state
}
