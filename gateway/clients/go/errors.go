package florin

import (
	"errors"
	"fmt"
	"strings"
)

// Error is the one error of this package. Decide by Code; nothing in it is secret.
//
// Besides the platform's codes there are those of this package. Of calls: NETWORK_ERROR (no response came), TIMEOUT and UNEXPECTED_RESPONSE (a proxy's page).
// Of texts to sign: UNEXPECTED_TEXT. Of webhooks: HEADER_MISSING, HEADER_INVALID, TIMESTAMP_TOO_OLD, TIMESTAMP_TOO_NEW, SIGNATURE_INVALID, BODY_INVALID,
// ENDPOINT_MISMATCH (answer 400) and KEYS_UNAVAILABLE (answer 503). Of feeds: EVENT_CONFLICT, TOO_MANY_AHEAD. A newer platform may send codes that this
// package does not know.
type Error struct {
	Code    string
	Message string
	// Status is the HTTP status; 0 without a response.
	Status int
	// Operation is for example cards.getCard.
	Operation string
	// RequestID is the id of the request in the platform's logs.
	RequestID string
	// RetryAfter is the number of seconds until the request may be repeated, where the platform says so; otherwise -1.
	RetryAfter int
	cause      error
}

func (e *Error) Error() string {
	var text strings.Builder
	if e.Operation != "" {
		text.WriteString(e.Operation + ": ")
	}
	text.WriteString(e.Code)
	if e.Message != "" {
		fmt.Fprintf(&text, " (%s)", e.Message)
	}
	if e.RequestID != "" {
		text.WriteString(", request " + e.RequestID)
	}
	return text.String()
}

func (e *Error) Unwrap() error { return e.cause }

// Fields returns of VALIDATION_FAILED what is wrong, by the name of the field.
func (e *Error) Fields() map[string]string {
	fields := map[string]string{}
	if e.Code != "VALIDATION_FAILED" {
		return fields
	}
	for _, part := range strings.Split(e.Message, "; ") {
		if name, problem, found := strings.Cut(part, ": "); found {
			fields[name] = problem
		}
	}
	return fields
}

// IsCode reports whether an error is one of this package with one of the codes.
func IsCode(err error, codes ...string) bool {
	var found *Error
	if !errors.As(err, &found) {
		return false
	}
	for _, code := range codes {
		if found.Code == code {
			return true
		}
	}
	return false
}

func problem(code, message string, cause error) *Error {
	return &Error{Code: code, Message: message, RetryAfter: -1, cause: cause}
}
