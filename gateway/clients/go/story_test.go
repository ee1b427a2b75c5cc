package florin_test

import (
	"context"
	"encoding/json"
	"io"
	"iter"
	"math/big"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	florin "florin-client"
)

const eure100 = "100000000000000000000"

var ctx = context.Background()

func sandbox(t *testing.T) string {
	url := os.Getenv("FLORIN_URL")
	if url == "" {
		t.Skip("FLORIN_URL names no sandbox")
	}
	return url
}

// must returns a value, and ends the test with the error if there is one.
func must[T any](t *testing.T) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func expect[T comparable](t *testing.T, what string, found, expected T) {
	t.Helper()
	if found != expected {
		t.Fatalf("%s: %v instead of %v", what, found, expected)
	}
}

func expectCode(t *testing.T, err error, code string) {
	t.Helper()
	if !florin.IsCode(err, code) {
		t.Fatalf("%v instead of %s", err, code)
	}
}

func rows[T any](t *testing.T, sequence iter.Seq2[T, error]) []T {
	t.Helper()
	var found []T
	for row, err := range sequence {
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, row)
	}
	return found
}

func newPhone() string {
	return "+49151" + big.NewInt(10_000_000+rand.Int64N(80_000_000)).String()
}

func register(t *testing.T, client *florin.Client) (*florin.KeyWallet, string) {
	t.Helper()
	wallet := must[*florin.KeyWallet](t)(florin.NewKeyWallet(""))
	expect(t, "the user of a new wallet", must[string](t)(client.SignIn(ctx, wallet, "localhost:3000", "http://localhost:3000/login")), "")
	email := strings.ToLower(wallet.Address()) + "@example.org"
	must[florin.Done](t)(client.Auth.SendEmailCode(ctx, florin.SendEmailCodeInput{Email: email}))
	outbox := must[florin.SandboxListOutboxOutput](t)(client.Sandbox.ListOutbox(ctx, florin.SandboxListOutboxInput{To: email}))
	registered := must[florin.Registration](t)(client.User.RegisterUser(ctx, florin.RegisterUserInput{Email: email, Otp: outbox.Data[0].Code}))
	return wallet, registered.UserID
}

func TestPlaysTheStory(t *testing.T) {
	var kept []*florin.Tokens
	client := florin.New(sandbox(t), florin.OnTokens(func(tokens *florin.Tokens) { kept = append(kept, tokens) }))
	wallet, userID := register(t, client)
	expect(t, "the session's user", client.Tokens().UserID, userID)
	expect(t, "the tokens that were kept", kept[len(kept)-1], client.Tokens())

	_, err := client.Cards.CreateVirtualCard(ctx, florin.CreateVirtualCardInput{CardName: "Everyday"})
	expectCode(t, err, "PHONE_REQUIRED")
	_, err = client.Cards.CreateVirtualCard(ctx, florin.CreateVirtualCardInput{Phone: newPhone()})
	if invalid, ok := err.(*florin.Error); !ok || invalid.Fields()["cardName"] == "" {
		t.Fatal(err)
	}
	order := florin.CreateVirtualCardInput{CardName: "Everyday", Phone: newPhone()}
	key := florin.IdempotencyKey(userID)
	card := must[florin.CreateVirtualCardOutput](t)(client.Cards.CreateVirtualCard(ctx, order, key))
	again := must[florin.CreateVirtualCardOutput](t)(client.Cards.CreateVirtualCard(ctx, order, key))
	expect(t, "the card of a repeat", again, card)
	cards := rows(t, client.Cards.ListCardsAll(ctx, florin.ListCardsInput{Status: "active"}))
	expect(t, "the only card", cards[0].ID, card.CardID)
	phone := newPhone()
	must[florin.Done](t)(client.Phone.UpdatePhone(ctx, florin.UpdatePhoneInput{Phone: phone}))
	expect(t, "the phone", must[florin.User](t)(client.User.GetUser(ctx)).Phone, phone)

	deposited := must[florin.SandboxCreateDepositOutput](t)(client.Sandbox.CreateDeposit(ctx, florin.SandboxCreateDepositInput{Token: "EURe", Amount: eure100}))
	deposits := rows(t, client.UserMovements.ListDepositsAll(ctx, florin.ListDepositsInput{}))
	expect(t, "the deposit", deposits[0].TxHash+deposits[0].Status, deposited.TxHash+"approved")
	for _, row := range must[florin.Balances](t)(client.UserAccount.GetBalances(ctx)).Data {
		if row.Currency == "EUR" {
			expect(t, "what can be spent", florin.FormatAmount(row.Spendable, int(row.Decimals)), "100.00")
		}
	}

	challenge := askToPay(t, client, card.CardID)
	expect(t, "the decided challenge", must[florin.ThreeDSChallenge](t)(client.Decide(ctx, wallet, challenge, florin.Approve)).Status, "approved")
	other := askToPay(t, client, card.CardID)
	other.Amount = "1"
	_, err = client.Decide(ctx, wallet, other, florin.Approve)
	expectCode(t, err, "UNEXPECTED_TEXT")

	pay(t, client, wallet, card.CardID, challenge.ID)
	table := must[string](t)(client.UserMovements.ListStatementCsv(ctx, florin.ListStatementInput{}))
	expect(t, "the table", strings.HasPrefix(table, "id,"), true)
	if err := client.EndSession(ctx); err != nil {
		t.Fatal(err)
	}
	expect(t, "the tokens after the session", client.Tokens(), nil)
	_, err = client.User.GetUser(ctx)
	expectCode(t, err, "UNAUTHORIZED")
}

func askToPay(t *testing.T, client *florin.Client, cardID string) florin.ThreeDSChallenge {
	t.Helper()
	payment := florin.SandboxCreateChallengeInput{
		CardID: cardID, Amount: "4999", Currency: "EUR", Merchant: florin.SandboxMerchant{DisplayName: "Bookshop", Country: "DE"},
	}
	raised := must[florin.SandboxCreateChallengeOutput](t)(client.Sandbox.CreateChallenge(ctx, payment))
	found := must[florin.ThreeDSChallengeDetailResponse](t)(client.ThreeDs.GetChallenge(ctx, florin.GetChallengeInput{ChallengeID: raised.ChallengeID}))
	return found.Challenge
}

func pay(t *testing.T, client *florin.Client, wallet florin.Wallet, cardID, challengeID string) {
	t.Helper()
	daily := florin.SetCardLimitsPerTransaction{Amount: "6000", Currency: "EUR"}
	limits := must[florin.CardLimits](t)(client.Cards.UpdateCardLimits(ctx, florin.UpdateCardLimitsInput{CardID: cardID, Daily: florin.Set(daily)}))
	expect(t, "the limit", limits.Daily.Amount, "6000")
	authorize := func(amount string, change func(*florin.SandboxCreatePaymentInput)) florin.NetworkDecision {
		t.Helper()
		payment := florin.SandboxCreatePaymentInput{
			CardID: cardID, Amount: amount, Currency: "EUR", Merchant: florin.SandboxCardMerchant{Name: "Bookshop"},
		}
		change(&payment)
		return must[florin.NetworkDecision](t)(client.Sandbox.CreatePayment(ctx, payment))
	}
	unchanged := func(*florin.SandboxCreatePaymentInput) {}
	withChallenge := func(payment *florin.SandboxCreatePaymentInput) { payment.ThreeDsChallengeID = challengeID }
	paid := authorize("4999", withChallenge)
	expect(t, "the authorization", paid.Approved, true)
	expect(t, "the same approval again", authorize("100", withChallenge).Reason.Code, "authentication_invalid")
	id := paid.TransactionID
	first := must[florin.CardTransactionDetail](t)(client.Sandbox.ClearPayment(ctx, florin.SandboxClearPaymentInput{TransactionID: id, Amount: "3000", Final: florin.Ptr(false)}))
	expect(t, "the rest", first.HeldAmount, "1999")
	last := must[florin.CardTransactionDetail](t)(client.Sandbox.ClearPayment(ctx, florin.SandboxClearPaymentInput{TransactionID: id, Amount: "1500"}))
	expect(t, "the last clearing", last.Status, "settled")
	refunded := must[florin.CardTransactionDetail](t)(client.Sandbox.RefundPayment(ctx, florin.SandboxRefundPaymentInput{TransactionID: id, Amount: "500"}))
	expect(t, "the refund", refunded.RefundedAmount, "500")
	expect(t, "above the limit", authorize("2000", unchanged).Reason.Code, "daily_limit_exceeded")
	none := florin.UpdateCardLimitsInput{CardID: cardID, Daily: florin.Null[florin.SetCardLimitsPerTransaction]()}
	_, err := client.Cards.UpdateCardLimits(ctx, none)
	expectCode(t, err, "APPROVAL_REQUIRED")
	approval := must[florin.TypedMessage](t)(client.Cards.CreateCardLimitsChallenge(ctx, florin.CreateCardLimitsChallengeInput{CardID: cardID, Daily: none.Daily}))
	none.Approval = must[string](t)(wallet.SignTyped(ctx, approval))
	must[florin.CardLimits](t)(client.Cards.UpdateCardLimits(ctx, none))
	must[florin.Card](t)(client.Cards.ReportCardStolen(ctx, florin.ReportCardStolenInput{CardID: cardID}))
	expect(t, "a stolen card", authorize("100", unchanged).ResponseCode, "43")

	lines := rows(t, client.UserMovements.ListStatementAll(ctx, florin.ListStatementInput{Limit: florin.Ptr[int64](1)}))
	expect(t, "the lines", len(lines), 4)
	balance := new(big.Int)
	for i := len(lines) - 1; i >= 0; i-- {
		amount, _ := new(big.Int).SetString(lines[i].Amount, 10)
		expect(t, "the balance", balance.Add(balance, amount).String(), lines[i].BalanceAfter)
	}
	expect(t, "the sum", balance.String(), "60000000000000000000")
}

func TestRefreshesTokensOnceForAllCalls(t *testing.T) {
	client := florin.New(sandbox(t))
	register(t, client)
	tokens := *client.Tokens()
	stored := tokens
	stored.RefreshAt = time.Time{}
	restarted := florin.New(sandbox(t), florin.WithTokens(stored))
	var group sync.WaitGroup
	for range 5 {
		group.Add(1)
		go func() {
			defer group.Done()
			if user, err := restarted.User.GetUser(ctx); err != nil || user.ID != tokens.UserID {
				t.Error(user.ID, err)
			}
		}()
	}
	group.Wait()
	if restarted.Tokens().RefreshToken == tokens.RefreshToken {
		t.Fatal("the tokens were not refreshed")
	}
}

func TestWatchesChallenges(t *testing.T) {
	client := florin.New(sandbox(t))
	wallet, _ := register(t, client)
	card := must[florin.CreateVirtualCardOutput](t)(client.Cards.CreateVirtualCard(ctx, florin.CreateVirtualCardInput{CardName: "Everyday", Phone: newPhone()}))
	asked := askToPay(t, client, card.CardID)
	for event, err := range client.ThreeDs.WatchChallenges(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		if event.Event != "challenge" {
			continue
		}
		var found florin.ThreeDSChallengeDetailResponse
		if err := event.Decode(&found); err != nil {
			t.Fatal(err)
		}
		expect(t, "the challenge", found.Challenge.ID, asked.ID)
		expect(t, "the decision", must[florin.ThreeDSChallenge](t)(client.Decide(ctx, wallet, found.Challenge, florin.Decline)).Status, "declined")
		break
	}
}

func TestAPartnerReceivesEveryEvent(t *testing.T) {
	url := sandbox(t)
	var key florin.PartnerKey
	if json.Unmarshal([]byte(os.Getenv("FLORIN_PARTNER_KEY")), &key) != nil {
		t.Skip("FLORIN_PARTNER_KEY is not set")
	}
	tokens, err := florin.PartnerTokens(key, "events.read", "webhooks.read", "webhooks.manage")
	if err != nil {
		t.Fatal(err)
	}
	partner := florin.New(url, florin.WithToken(tokens))
	start := must[florin.ListEventsPage](t)(partner.Events.ListEvents(ctx, florin.ListEventsInput{Limit: florin.Ptr[int64](1)}))
	after := "florin:" + big.NewInt(start.Checkpoint.Sequence).String()

	var mutex sync.Mutex
	verifier := &florin.WebhookVerifier{}
	checker := must[*florin.FeedChecker](t)(florin.NewFeedChecker(after))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mutex.Lock()
		defer mutex.Unlock()
		body, _ := io.ReadAll(r.Body)
		delivery, err := verifier.Verify(body, r.Header)
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		if event, ok := delivery.Event(); ok && event.Sequence > 0 {
			_, err = checker.Take(event)
		}
		if err != nil {
			t.Error(err)
		}
	}))
	defer server.Close()
	mutex.Lock()
	endpoint := must[florin.WebhookEndpointWithSecret](t)(partner.Webhooks.CreateWebhookEndpoint(ctx, florin.CreateWebhookEndpointInput{URL: server.URL, After: after}))
	verifier.EndpointID = endpoint.ID
	verifier.Keys = func() ([]florin.PublicKey, error) {
		published, err := partner.Webhooks.ListWebhookKeys(ctx)
		var keys []florin.PublicKey
		for _, one := range published.Keys {
			keys = append(keys, florin.PublicKey{Kty: one.Kty, Crv: one.Crv, X: one.X})
		}
		return keys, err
	}
	mutex.Unlock()
	register(t, florin.New(url))
	for event, err := range partner.Events.WatchEvents(ctx, florin.WatchEventsInput{After: after, Types: "user.*"}) {
		if err != nil {
			t.Fatal(err)
		}
		if event.Event == "user.registered" {
			break
		}
	}
	end := must[florin.ListEventsPage](t)(partner.Events.ListEvents(ctx, florin.ListEventsInput{After: after}))
	for until := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		mutex.Lock()
		isComplete := !checker.HasGaps() && checker.IsComplete(end.Checkpoint)
		mutex.Unlock()
		if isComplete {
			break
		}
		if time.Now().After(until) {
			t.Fatal("a delivery is missing")
		}
	}
	must[florin.Done](t)(partner.Webhooks.DeleteWebhookEndpoint(ctx, florin.DeleteWebhookEndpointInput{EndpointID: endpoint.ID}))
}
