package florin

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"math/big"
	"regexp"
	"strings"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"
	"golang.org/x/crypto/sha3"
)

// Wallet is who signs.
type Wallet interface {
	Address() string
	// SignText signs a text (EIP-191). It returns 0x and hexadecimal digits.
	SignText(ctx context.Context, text string) (string, error)
	// SignTyped signs typed data (EIP-712).
	SignTyped(ctx context.Context, data TypedMessage) (string, error)
}

// KeyWallet is a key in this process.
type KeyWallet struct {
	key     *secp256k1.PrivateKey
	address string
}

// NewKeyWallet makes a wallet of a private key, 32 bytes as hexadecimal digits; of a new one if it is empty.
func NewKeyWallet(privateKey string) (*KeyWallet, error) {
	secret := make([]byte, 32)
	if privateKey == "" {
		_, _ = rand.Read(secret)
	} else {
		var err error
		if secret, err = hex.DecodeString(strings.TrimPrefix(privateKey, "0x")); err != nil || len(secret) != 32 {
			return nil, problem("KEY_INVALID", "a private key must be 32 bytes as hexadecimal digits", err)
		}
	}
	var scalar secp256k1.ModNScalar
	if overflows := scalar.SetByteSlice(secret); overflows || scalar.IsZero() {
		return nil, problem("KEY_INVALID", "the private key is not one of the curve", nil)
	}
	key := secp256k1.NewPrivateKey(&scalar)
	digest := keccak(key.PubKey().SerializeUncompressed()[1:])
	return &KeyWallet{key, checksummed(digest[12:])}, nil
}

// Address returns the address of the wallet with its checksum (EIP-55).
func (w *KeyWallet) Address() string { return w.address }

// SignText signs a text (EIP-191).
func (w *KeyWallet) SignText(_ context.Context, text string) (string, error) {
	return w.sign(keccak([]byte(fmt.Sprintf("\x19Ethereum Signed Message:\n%d%s", len(text), text)))), nil
}

// SignTyped signs typed data (EIP-712).
func (w *KeyWallet) SignTyped(_ context.Context, data TypedMessage) (string, error) {
	nonce, ok := new(big.Int).SetString(data.Message.Nonce, 10)
	if !ok || nonce.Sign() < 0 || nonce.BitLen() > 256 {
		return "", problem("UNEXPECTED_TEXT", "the nonce is not a number of 256 bits", nil)
	}
	domain := keccak(
		keccak([]byte("EIP712Domain(string name,string version,uint256 chainId)")),
		keccak([]byte(data.Domain.Name)), keccak([]byte(data.Domain.Version)), word(big.NewInt(data.Domain.ChainID)),
	)
	message := keccak(keccak([]byte("Message(string authorization,uint256 nonce)")), keccak([]byte(data.Message.Authorization)), word(nonce))
	return w.sign(keccak([]byte("\x19\x01"), domain, message)), nil
}

func (w *KeyWallet) sign(digest []byte) string {
	// The recovery code comes first.
	signature := ecdsa.SignCompact(w.key, digest, false)
	return "0x" + hex.EncodeToString(append(signature[1:], signature[0]))
}

func keccak(parts ...[]byte) []byte {
	hash := sha3.NewLegacyKeccak256()
	for _, part := range parts {
		hash.Write(part)
	}
	return hash.Sum(nil)
}

func word(number *big.Int) []byte { return number.FillBytes(make([]byte, 32)) }

func checksummed(address []byte) string {
	digits := []byte(hex.EncodeToString(address))
	digest := hex.EncodeToString(keccak(digits))
	for i, digit := range digits {
		if digit >= 'a' && digest[i] >= '8' {
			digits[i] = digit - 'a' + 'A'
		}
	}
	return "0x" + string(digits)
}

// expectLines returns UNEXPECTED_TEXT unless each line fits its pattern. A pattern is a whole line.
func expectLines(text string, patterns ...string) error {
	lines := strings.Split(text, "\n")
	fits := len(lines) == len(patterns)
	for i := 0; fits && i < len(lines); i++ {
		fits = regexp.MustCompile(`\A(?:` + patterns[i] + `)\z`).MatchString(lines[i])
	}
	if fits {
		return nil
	}
	return problem("UNEXPECTED_TEXT", "the text to sign is not the expected one; nothing was signed", nil)
}

// SignIn signs in with a wallet, after every line of the message was checked. The session begins. It returns the user's id; empty while the wallet is not
// registered.
func (c *Client) SignIn(ctx context.Context, wallet Wallet, domain, uri string) (string, error) {
	issued, err := c.Auth.CreateSiweMessage(ctx, CreateSiweMessageInput{Address: wallet.Address(), Domain: domain, URI: uri})
	if err != nil {
		return "", err
	}
	err = expectLines(issued.Message,
		regexp.QuoteMeta(domain+" wants you to sign in with your Ethereum account:"), `(?i)`+regexp.QuoteMeta(wallet.Address()), ``, `Sign in to .+\.`, ``,
		regexp.QuoteMeta("URI: "+uri), `Version: 1`, `Chain ID: \d+`, `Nonce: [A-Za-z0-9]{8,}`, `Issued At: \S+`, `Expiration Time: \S+`)
	if err != nil {
		return "", err
	}
	signature, err := wallet.SignText(ctx, issued.Message)
	if err != nil {
		return "", err
	}
	pair, err := c.Auth.SignIn(ctx, SignInInput{Message: issued.Message, Signature: signature})
	return pair.UserID, err
}

// Decision is what a person decides about a payment.
type Decision string

const (
	Approve Decision = "approve"
	Decline Decision = "decline"
)

// FormatAmount writes an integer in the smallest unit with its decimals: 4999 with two is 49.99.
func FormatAmount(amount string, decimals int) string {
	if decimals == 0 {
		return amount
	}
	digits, isNegative := strings.CutPrefix(amount, "-")
	if missing := decimals + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	point := len(digits) - decimals
	return map[bool]string{true: "-"}[isNegative] + digits[:point] + "." + digits[point:]
}

// decisionLines is the text that a decision has to have (dynamic linking, PSD2 RTS Art. 5).
func decisionLines(challenge ThreeDSChallenge, decision Decision) []string {
	merchant, verb := challenge.Merchant, strings.ToUpper(string(decision))
	lines := []string{verb + " this use of the card", "Amount: none"}
	if challenge.Amount != "" {
		decimals := 0
		if challenge.Decimals != nil {
			decimals = int(*challenge.Decimals)
		}
		amount := FormatAmount(challenge.Amount, decimals) + " " + challenge.Currency
		lines = []string{verb + " this card payment", "Amount: " + amount}
	}
	lines = append(lines, "Card: **** "+challenge.CardLast4)
	for i, line := range lines {
		lines[i] = regexp.QuoteMeta(line)
	}
	name := regexp.QuoteMeta(merchant.DisplayName)
	if name == "" {
		name = "not named"
	}
	where := ""
	if merchant.Country != "" {
		where = regexp.QuoteMeta(" (" + merchant.Country + ")")
	}
	// A platform of an earlier release leaves the quotation marks out.
	lines = append(lines, fmt.Sprintf(`Merchant: (?:%s|"%s")%s`, name, name, where))
	if merchant.ID != "" {
		lines = append(lines, regexp.QuoteMeta("Merchant ID: "+merchant.ID))
	}
	return append(lines, regexp.QuoteMeta("Challenge: "+challenge.ID), regexp.QuoteMeta("Expires: "+challenge.ExpiresAt))
}

// Decide approves or declines a card payment. The wallet is not asked unless every line of the text fits the challenge as the person was shown it.
func (c *Client) Decide(ctx context.Context, wallet Wallet, challenge ThreeDSChallenge, decision Decision) (ThreeDSChallenge, error) {
	input := IssueDecisionChallengeInput{ChallengeID: challenge.ID, Decision: string(decision), Quoted: "true"}
	data, err := c.ThreeDs.IssueDecisionChallenge(ctx, input)
	if err != nil {
		return challenge, err
	}
	types := ""
	for _, one := range data.Types.Message {
		types += one.Name + " " + one.Type + ";"
	}
	head := strings.Join([]string{data.PrimaryType, types, data.Domain.Name}, "\n")
	if err := expectLines(head, "Message", "authorization string;nonce uint256;", "Florin 3DS"); err != nil {
		return challenge, err
	}
	if err := expectLines(data.Message.Authorization, decisionLines(challenge, decision)...); err != nil {
		return challenge, err
	}
	signature, err := wallet.SignTyped(ctx, data)
	if err != nil {
		return challenge, err
	}
	decided, err := c.ThreeDs.SubmitDecision(ctx, SubmitDecisionInput{ChallengeID: challenge.ID, Decision: string(decision), Signature: signature})
	return decided.Challenge, err
}
