package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	commonv1 "florin/common/v1"
	ledgerv1 "florin/ledger/v1"
	threedsv1 "florin/threeds/v1"

	"google.golang.org/grpc"
	"google.golang.org/grpc/status"
)

type errorInfo struct {
	Status   string            `json:"status"`
	Reason   string            `json:"reason"`
	Metadata map[string]string `json:"metadata"`
}

func infoOf(err error) errorInfo {
	failed := status.Convert(err)
	info := errorInfo{Status: failed.Code().String()}
	for _, detail := range failed.Details() {
		if found, ok := detail.(*commonv1.ErrorInfo); ok {
			info.Reason, info.Metadata = found.GetReason(), found.GetMetadata()
		}
	}
	return info
}

// largest is the largest batch that the contract's limits on entries and transfers allow.
func (c config) largest() *ledgerv1.CreateEntriesRequest {
	batch := &ledgerv1.CreateEntriesRequest{}
	for number := range 1000 {
		entry := c.entry(fmt.Sprintf("0190a000-0000-7000-8000-%012d", 1000+number), "1", nil)
		for len(entry.Transfers) < 100 {
			entry.Transfers = append(entry.Transfers, entry.Transfers[0])
		}
		batch.Entries = append(batch.Entries, entry)
	}
	return batch
}

// provokeErrors makes calls that fail, each in another part of the platform or of the protocol.
func provokeErrors(ctx context.Context, threeds, ledger *grpc.ClientConn, given config) (map[string]errorInfo, error) {
	stranger, err := connect(given.Threeds)
	if err != nil {
		return nil, err
	}
	defer stranger.Close()
	challenges := threedsv1.NewChallengeServiceClient(threeds)
	long, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()

	other := newChallenge(given, "go-1")
	other.Amount = "1"
	invalid := newChallenge(given, "go-2")
	invalid.Currency, invalid.Merchant.DisplayName = "ZZZ", strings.Repeat("x", 200)

	seen := map[string]errorInfo{}
	_, err = threedsv1.NewChallengeServiceClient(stranger).CreateChallenge(ctx, newChallenge(given, "go-3"))
	seen["no token"] = infoOf(err)
	_, err = challenges.CreateChallenge(ctx, invalid)
	seen["invalid fields"] = infoOf(err)
	_, err = challenges.CreateChallenge(ctx, other)
	seen["reference with other content"] = infoOf(err)
	_, err = challenges.CreateChallenge(long, newChallenge(given, "go-4"))
	seen["deadline of ten minutes"] = infoOf(err)
	_, err = ledgerv1.NewEntryServiceClient(threeds).GetEntry(ctx, &ledgerv1.GetEntryRequest{EntryId: transferID})
	seen["port of another service"] = infoOf(err)
	_, err = ledgerv1.NewEntryServiceClient(ledger).CreateEntries(ctx, given.largest())
	seen["largest batch"] = infoOf(err)
	return seen, nil
}
