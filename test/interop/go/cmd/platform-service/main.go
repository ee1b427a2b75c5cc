// Command platform-service plays services of a bank around Florin: an access control server, a chain watcher and a client of the ledger. It knows
// the contracts and the guide for platform services, and nothing else of Florin. It reads its configuration from a JSON
// file and prints what it saw as JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

const deadline = time.Minute

type config struct {
	Key       json.RawMessage `json:"key"`
	Threeds   string          `json:"threeds"`
	Ledger    string          `json:"ledger"`
	CardID    string          `json:"cardId"`
	AccountID string          `json:"accountId"`
	ChainID   uint32          `json:"chainId"`
	Token     string          `json:"token"`
}

type report struct {
	ACS     acsReport            `json:"acs"`
	Watcher watcherReport        `json:"watcher"`
	Ledger  ledgerReport         `json:"ledger"`
	Errors  map[string]errorInfo `json:"errors"`
}

func connect(target string, options ...grpc.DialOption) (*grpc.ClientConn, error) {
	return grpc.NewClient(target, append(options, grpc.WithTransportCredentials(insecure.NewCredentials()))...)
}

func play(ctx context.Context, given config) (seen report, err error) {
	threeds, err := connect(given.Threeds, grpc.WithPerRPCCredentials(&tokens{
		key: given.Key, service: "threeds", scopes: []string{"threeds.challenges.read", "threeds.challenges.write"},
	}))
	if err != nil {
		return seen, err
	}
	defer threeds.Close()
	ledger, err := connect(given.Ledger, grpc.WithPerRPCCredentials(&tokens{
		key: given.Key, service: "ledger", scopes: []string{
			"ledger.balances.read", "ledger.deposits.read", "ledger.deposits.write", "ledger.entries.read", "ledger.entries.write",
		},
	}))
	if err != nil {
		return seen, err
	}
	defer ledger.Close()

	if seen.Watcher, err = watchChain(ctx, ledger, given); err != nil {
		return seen, fmt.Errorf("watcher: %w", err)
	}
	if seen.ACS, err = controlAccess(ctx, threeds, given); err != nil {
		return seen, fmt.Errorf("access control server: %w", err)
	}
	if seen.Ledger, err = moveMoney(ctx, ledger, given); err != nil {
		return seen, fmt.Errorf("ledger client: %w", err)
	}
	seen.Errors, err = provokeErrors(ctx, threeds, ledger, given)
	return seen, err
}

func run() error {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		return err
	}
	var given config
	if err := json.Unmarshal(text, &given); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	defer cancel()
	seen, err := play(ctx, given)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(seen)
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
