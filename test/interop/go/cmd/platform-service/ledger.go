package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	ledgerv1 "florin/ledger/v1"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/timestamppb"
)

type watcherReport struct {
	DepositID    string `json:"depositId"`
	SameOnRepeat bool   `json:"sameOnRepeat"`
	Status       string `json:"status"`
}

// watchChain reports a transfer to the account, and waits for the result of its screening.
func watchChain(ctx context.Context, connection *grpc.ClientConn, given config) (seen watcherReport, err error) {
	client := ledgerv1.NewMovementServiceClient(connection)
	transfer := &ledgerv1.RecordDepositRequest{
		AccountId: given.AccountID,
		ChainId:   given.ChainID,
		TxHash:    "0x" + strings.Repeat("60", 32),
		Token:     given.Token,
		Amount:    "100000000000000000000",
	}
	recorded, err := client.RecordDeposit(ctx, transfer)
	if err != nil {
		return seen, err
	}
	repeated, err := client.RecordDeposit(ctx, transfer)
	if err != nil {
		return seen, err
	}
	seen.DepositID = recorded.GetDeposit().GetId()
	seen.SameOnRepeat = repeated.GetDeposit().GetId() == seen.DepositID
	for {
		found, err := client.GetDeposit(ctx, &ledgerv1.GetDepositRequest{DepositId: seen.DepositID})
		if err != nil {
			return seen, err
		}
		status := found.GetDeposit().GetStatus()
		if status != ledgerv1.DepositStatus_DEPOSIT_STATUS_PENDING {
			seen.Status = status.String()
			return seen, nil
		}
		select {
		case <-ctx.Done():
			return seen, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// Ids of entries, which their caller chooses.
const (
	transferID = "0190a000-0000-7000-8000-000000000001"
	holdID     = "0190a000-0000-7000-8000-000000000002"
	tooMuchID  = "0190a000-0000-7000-8000-000000000003"
	nothingID  = "0190a000-0000-7000-8000-000000000004"
)

type ledgerReport struct {
	// Result codes of a batch and of its repeat, by entry.
	Created  []string `json:"created"`
	Repeated []string `json:"repeated"`
	// Spendable amount of the token, before and after.
	Before string `json:"before"`
	After  string `json:"after"`
	// Kinds of the entries that were written, as the journal's stream showed them.
	Watched []string `json:"watched"`
}

func (c config) balance(ctx context.Context, client ledgerv1.BalanceServiceClient) (string, error) {
	balances, err := client.GetAccountBalances(ctx, &ledgerv1.GetAccountBalancesRequest{AccountId: c.AccountID})
	if err != nil {
		return "", err
	}
	for _, currency := range balances.GetCurrencies() {
		for _, row := range currency.GetTokens() {
			if row.GetToken() == c.Token {
				return row.GetSpendable(), nil
			}
		}
	}
	return "", fmt.Errorf("no balance in %s", c.Token)
}

func (c config) entry(id, amount string, holdExpiresAt *timestamppb.Timestamp) *ledgerv1.NewEntry {
	return &ledgerv1.NewEntry{
		EntryId:       id,
		Transfers:     []*ledgerv1.NewTransfer{{Debit: c.AccountID, Credit: "settlement", Token: c.Token, Amount: amount}},
		HoldExpiresAt: holdExpiresAt,
	}
}

func create(ctx context.Context, client ledgerv1.EntryServiceClient, batch *ledgerv1.CreateEntriesRequest) (codes []string, err error) {
	created, err := client.CreateEntries(ctx, batch)
	for _, result := range created.GetResults() {
		codes = append(codes, strings.TrimPrefix(result.GetCode().String(), "ENTRY_RESULT_CODE_"))
	}
	return codes, err
}

// moveMoney transfers, holds, posts, asks for too much, and follows the journal.
func moveMoney(ctx context.Context, connection *grpc.ClientConn, given config) (seen ledgerReport, err error) {
	entries, balances := ledgerv1.NewEntryServiceClient(connection), ledgerv1.NewBalanceServiceClient(connection)
	if seen.Before, err = given.balance(ctx, balances); err != nil {
		return seen, err
	}
	expires := timestamppb.New(time.Now().Add(time.Hour))
	batch := &ledgerv1.CreateEntriesRequest{Entries: []*ledgerv1.NewEntry{
		given.entry(transferID, "1000000000000000000", nil),
		given.entry(holdID, "2000000000000000000", expires),
		given.entry(tooMuchID, "900000000000000000000", nil),
		given.entry(nothingID, "0", nil),
	}}
	if seen.Created, err = create(ctx, entries, batch); err != nil {
		return seen, err
	}
	if seen.Repeated, err = create(ctx, entries, batch); err != nil {
		return seen, err
	}
	posted := &ledgerv1.PostHoldRequest{AccountId: given.AccountID, HoldId: holdID}
	if _, err = ledgerv1.NewHoldServiceClient(connection).PostHold(ctx, posted); err != nil {
		return seen, fmt.Errorf("post the hold: %w", err)
	}
	if seen.After, err = given.balance(ctx, balances); err != nil {
		return seen, err
	}

	watching, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := entries.WatchEntries(watching, &ledgerv1.WatchEntriesRequest{})
	if err != nil {
		return seen, err
	}
	for len(seen.Watched) < 3 {
		message, err := stream.Recv()
		if err != nil {
			return seen, fmt.Errorf("watch: %w", err)
		}
		for _, entry := range message.GetEntries() {
			if entry.GetId() == transferID || entry.GetId() == holdID || entry.GetHoldId() == holdID {
				seen.Watched = append(seen.Watched, strings.TrimPrefix(entry.GetKind().String(), "ENTRY_KIND_"))
			}
		}
	}
	return seen, nil
}
