package florin_test

import (
	"context"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	florin "florin-client"
)

// An answer of a server that is made up. Status 0 breaks the connection.
type answer struct {
	status     int
	retryAfter string
	body       string
}

func failure(status int, code string) answer {
	return answer{status: status, body: fmt.Sprintf(`{"success":false,"error":%q}`, code)}
}

// serve gives one answer after the other, and keeps the headers of the requests.
func serve(t *testing.T, answers ...answer) (*florin.Client, *[]http.Header) {
	t.Helper()
	var seen []http.Header
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.Header)
		next := answers[min(len(seen), len(answers))-1]
		if next.status == 0 {
			panic(http.ErrAbortHandler)
		}
		if next.retryAfter != "" {
			w.Header().Set("Retry-After", next.retryAfter)
		}
		w.WriteHeader(next.status)
		_, _ = w.Write([]byte(next.body))
	}))
	t.Cleanup(server.Close)
	token := florin.WithToken(func(context.Context) (string, error) { return "t", nil })
	return florin.New(server.URL, token, florin.WithRetries(3, time.Millisecond)), &seen
}

func TestRepeatsOnlyWhatCanHelp(t *testing.T) {
	done := answer{status: 200, body: `{"success":true}`}
	for name, given := range map[string]struct {
		answers  []answer
		attempts int
	}{
		"network faults and unavailable services": {[]answer{{}, failure(503, "SERVICE_UNAVAILABLE"), done}, 3},
		"a short limit":       {[]answer{{429, "0", `{"error":"RATE_LIMITED"}`}, done}, 2},
		"not a long limit":    {[]answer{{429, "30000", `{"error":"CARD_DATA_LIMIT_REACHED"}`}}, 1},
		"not a refusal":       {[]answer{failure(409, "CARD_STATE_CONFLICT")}, 1},
		"not a redirect":      {[]answer{{status: 302}}, 1},
		"three times at most": {[]answer{failure(503, "SERVICE_UNAVAILABLE")}, 4},
	} {
		t.Run(name, func(t *testing.T) {
			client, seen := serve(t, given.answers...)
			_, _ = client.Auth.LogoutAll(ctx)
			expect(t, "attempts", len(*seen), given.attempts)
			for _, header := range *seen {
				expect(t, "the key", header.Get("Idempotency-Key"), (*seen)[0].Get("Idempotency-Key"))
			}
		})
	}
}

func TestAnErrorSaysWhy(t *testing.T) {
	for header, why := range map[string]string{
		`WWW-Authenticate: Bearer error="insufficient_scope", error_description="the scope events.read is missing"`: "the scope events.read is missing",
		`Link: </errors#X>; rel="help"; title="must begin with https://"`:                                           "must begin with https://",
	} {
		name, value, _ := strings.Cut(header, ": ")
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set(name, value)
			w.WriteHeader(403)
			_, _ = w.Write([]byte(`{"success":false,"error":"FORBIDDEN"}`))
		}))
		t.Cleanup(server.Close)
		_, err := florin.New(server.URL).Auth.LogoutAll(ctx)
		found, ok := err.(*florin.Error)
		if !ok {
			t.Fatalf("%T instead of the package's error", err)
		}
		expect(t, "the reason", found.Message, why)
	}
}

func TestASessionMayEndWhileItIsRefreshed(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/auth/refresh":
			_, _ = w.Write([]byte(`{"accessToken":"b","refreshToken":"s","expiresIn":900}`))
		case "/auth/logout":
			_, _ = w.Write([]byte(`{"success":true}`))
		default:
			w.WriteHeader(401)
			_, _ = w.Write([]byte(`{"success":false,"error":"UNAUTHORIZED"}`))
		}
	}))
	t.Cleanup(server.Close)
	var client *florin.Client
	client = florin.New(server.URL, florin.WithTokens(florin.Tokens{AccessToken: "a", RefreshToken: "r"}), florin.OnTokens(func(tokens *florin.Tokens) {
		if tokens != nil {
			_ = client.EndSession(ctx)
		}
	}))
	_, err := client.User.GetUser(ctx)
	if _, ok := err.(*florin.Error); !ok {
		t.Fatalf("%T instead of the package's error", err)
	}
	expectCode(t, err, "UNAUTHORIZED")
}

func TestASignInIsNotRepeated(t *testing.T) {
	client, seen := serve(t, answer{})
	_, err := client.Auth.SignIn(ctx, florin.SignInInput{Message: "m", Signature: "0x00"})
	expectCode(t, err, "NETWORK_ERROR")
	expect(t, "attempts", len(*seen), 1)
	expect(t, "the token", (*seen)[0].Get("Authorization"), "")
}

func TestAStreamGoesOnAfterTheLastEvent(t *testing.T) {
	client, seen := serve(t,
		answer{status: 200, body: "id: a\nevent: ready\ndata: {\"n\":1}\n\nid: b\nevent: challenge\n"},
		answer{status: 200, body: "id: c\r\nevent: challenge\r\ndata: {\"n\":\r\ndata: 2}\r\n\r\nevent: end\ndata: {}\n\n"},
		failure(401, "UNAUTHORIZED"))
	var events []string
	for event, err := range client.ThreeDs.WatchChallenges(ctx) {
		if err != nil {
			expectCode(t, err, "UNAUTHORIZED")
			break
		}
		events = append(events, event.ID+event.Event)
	}
	expect(t, "the events", strings.Join(events, " "), "aready cchallenge")
	expect(t, "the last ids", (*seen)[1].Get("Last-Event-ID")+(*seen)[2].Get("Last-Event-ID"), "ac")
}

func TestSignsAsOtherWalletsDo(t *testing.T) {
	// The first account of development chains, and what viem signs with it.
	wallet := must[*florin.KeyWallet](t)(florin.NewKeyWallet("0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"))
	expect(t, "the address", wallet.Address(), "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266")
	expect(t, "a text", must[string](t)(wallet.SignText(ctx, "Sign in — ✓")), "0x6e8d8da8e5314431c6067e8fc99dd65cd0c92984eac12f4c002162026030f1395507170a2c13009a89d2c825ea5151463087050e7e871e3864a7bd0b9ffaed941c")
	var data florin.TypedMessage
	data.Domain.Name, data.Domain.Version, data.Domain.ChainID = "Florin 3DS", "1", 100
	data.Message.Authorization, data.Message.Nonce = "APPROVE this card payment\nAmount: 49.99 EUR", "340282366920938463463374607431768211456"
	expect(t, "typed data", must[string](t)(wallet.SignTyped(ctx, data)), "0x84b8b1014c43daef15c27278074f77e2cb6179f1f8827bfabd76ecb778d076ee4ac05d69ae1cda4b2faa6fbbb0aa2f523bb7fd6aafb474e9b31197c28dae331b1b")
}

const now = 1_800_000_000

var secret = "whsec_" + base64.StdEncoding.EncodeToString(make([]byte, 32))

func deliver(body string, at int64, sign func([]byte) string) http.Header {
	signature := sign([]byte(fmt.Sprintf("msg_1.%d.%s", at, body)))
	return http.Header{"Webhook-Id": {"msg_1"}, "Webhook-Timestamp": {fmt.Sprint(at)}, "Webhook-Signature": {"v2,AAAA " + signature}}
}

func bySecret(content []byte) string {
	mac := hmac.New(sha256.New, make([]byte, 32))
	mac.Write(content)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

func TestVerifiesWebhooks(t *testing.T) {
	private := ed25519.NewKeyFromSeed(make([]byte, 32))
	byKey := func(content []byte) string {
		return "v1a," + base64.StdEncoding.EncodeToString(ed25519.Sign(private, content))
	}
	key := florin.PublicKey{Kty: "OKP", Crv: "Ed25519", X: base64.RawURLEncoding.EncodeToString(private.Public().(ed25519.PublicKey))}
	at := func(seconds int64) func() time.Time { return func() time.Time { return time.Unix(seconds, 0) } }
	keys := func() ([]florin.PublicKey, error) { return []florin.PublicKey{key}, nil }
	body := `{"type":"card.issued","endpointId":"mine"}`
	for name, given := range map[string]struct {
		verifier *florin.WebhookVerifier
		body     string
		header   http.Header
		code     string
	}{
		"by secret":        {&florin.WebhookVerifier{Secrets: []string{secret}, Now: at(now + 299)}, body, deliver(body, now, bySecret), ""},
		"by key":           {&florin.WebhookVerifier{Keys: keys, EndpointID: "mine", Now: at(now)}, body, deliver(body, now, byKey), ""},
		"another endpoint": {&florin.WebhookVerifier{Keys: keys, EndpointID: "other", Now: at(now)}, body, deliver(body, now, byKey), "ENDPOINT_MISMATCH"},
		"no headers":       {&florin.WebhookVerifier{Secrets: []string{secret}}, body, http.Header{}, "HEADER_MISSING"},
		"an old one":       {&florin.WebhookVerifier{Secrets: []string{secret}, Now: at(now + 301)}, body, deliver(body, now, bySecret), "TIMESTAMP_TOO_OLD"},
		"an early one":     {&florin.WebhookVerifier{Secrets: []string{secret}, Now: at(now - 301)}, body, deliver(body, now, bySecret), "TIMESTAMP_TOO_NEW"},
		"another body":     {&florin.WebhookVerifier{Secrets: []string{secret}, Now: at(now)}, body + " ", deliver(body, now, bySecret), "SIGNATURE_INVALID"},
		"no type":          {&florin.WebhookVerifier{Secrets: []string{secret}, Now: at(now)}, "[]", deliver("[]", now, bySecret), "BODY_INVALID"},
		"no endpoint":      {&florin.WebhookVerifier{Keys: keys}, body, http.Header{}, "ENDPOINT_INVALID"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := given.verifier.Verify([]byte(given.body), given.header)
			if given.code == "" && err != nil || given.code != "" && !florin.IsCode(err, given.code) {
				t.Fatal(err)
			}
		})
	}
}

func TestFindsWhatIsMissing(t *testing.T) {
	checker := must[*florin.FeedChecker](t)(florin.NewFeedChecker("acme:4"))
	take := func(checker *florin.FeedChecker, sequence, previous int64) florin.Taken {
		t.Helper()
		event := florin.Event{ID: fmt.Sprint(sequence), Subject: "card/1", Sequence: sequence, PreviousSequence: previous, SubjectSequence: sequence}
		return must[florin.Taken](t)(checker.Take(event))
	}
	outcomes := []florin.Taken{take(checker, 6, 4), take(checker, 9, 7), take(checker, 9, 7)}
	expect(t, "the outcomes", fmt.Sprint(outcomes), "[new new repeat]")
	expect(t, "the chain", fmt.Sprint(checker.CompleteTo(), checker.HasGaps()), "6 true")
	var state florin.FeedState
	text, _ := json.Marshal(checker.State())
	_ = json.Unmarshal(text, &state)
	restored := florin.RestoreFeedChecker(state)
	expect(t, "late", string(take(checker, 7, 6)+" "+take(restored, 7, 6)), "late new")
	expect(t, "both chains", fmt.Sprint(checker.CompleteTo(), restored.CompleteTo()), "9 9")
	take(restored, 12, 11)
	_, err := restored.Take(florin.Event{ID: "other", Sequence: 12, PreviousSequence: 11})
	expectCode(t, err, "EVENT_CONFLICT")
}

func TestTheBlocksOfTheReadmeRun(t *testing.T) {
	sandbox(t)
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var program strings.Builder
	for _, block := range regexp.MustCompile("(?ms)^```go\n(.*?)^```").FindAllSubmatch(text, -1) {
		program.Write(block[1])
	}
	folder, err := os.MkdirTemp(".", "readme-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(folder)
	if err := os.WriteFile(filepath.Join(folder, "main.go"), []byte(program.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	output, err := exec.Command("go", "run", "./"+folder).CombinedOutput()
	if err != nil || !regexp.MustCompile(`(?s)^\d{4}\napproved\nCARD_NOT_FOUND 404\n(new\n)*complete\nHEADER_MISSING\n$`).Match(output) {
		t.Fatalf("%v\n%s", err, output)
	}
}
