package main

import (
	"context"
	"fmt"

	commonv1 "florin/common/v1"
	threedsv1 "florin/threeds/v1"

	"google.golang.org/grpc"
)

type acsReport struct {
	ChallengeID string `json:"challengeId"`
	// True if a repeated CreateChallenge, the look-up by reference and the list gave the same challenge.
	SameOnRepeat    bool `json:"sameOnRepeat"`
	SameByReference bool `json:"sameByReference"`
	Listed          bool `json:"listed"`
	// States of the challenge in the stream, and in a stream that was resumed after the first of them.
	Watched []string `json:"watched"`
	Resumed []string `json:"resumed"`
}

func newChallenge(given config, reference string) *threedsv1.CreateChallengeRequest {
	return &threedsv1.CreateChallengeRequest{
		Reference: reference,
		CardId:    given.CardID,
		Amount:    "4999",
		Currency:  "EUR",
		Decimals:  2,
		Merchant:  &threedsv1.Merchant{DisplayName: "Bookshop", Country: "DE"},
	}
}

// watchUntil reads the states of a challenge from the stream up to and including last. It returns the id of the first state's event as well.
func watchUntil(
	stream grpc.ServerStreamingClient[threedsv1.WatchRaisedChallengesResponse], id string, last threedsv1.ChallengeStatus,
) (states []string, firstEvent string, err error) {
	for {
		message, err := stream.Recv()
		if err != nil {
			return states, firstEvent, err
		}
		challenge := message.GetChallenge()
		if challenge.GetId() != id {
			continue
		}
		if firstEvent == "" {
			firstEvent = message.GetEventId()
		}
		states = append(states, challenge.GetStatus().String())
		if challenge.GetStatus() == last {
			return states, firstEvent, nil
		}
	}
}

func controlAccess(ctx context.Context, connection *grpc.ClientConn, given config) (seen acsReport, err error) {
	client := threedsv1.NewChallengeServiceClient(connection)
	watching, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := client.WatchRaisedChallenges(watching, &threedsv1.WatchRaisedChallengesRequest{})
	if err != nil {
		return seen, err
	}
	// The first message says that the stream is open.
	if _, err = stream.Recv(); err != nil {
		return seen, fmt.Errorf("open the stream: %w", err)
	}

	created, err := client.CreateChallenge(ctx, newChallenge(given, "go-1"))
	if err != nil {
		return seen, err
	}
	seen.ChallengeID = created.GetChallenge().GetId()
	repeated, err := client.CreateChallenge(ctx, newChallenge(given, "go-1"))
	if err != nil {
		return seen, err
	}
	seen.SameOnRepeat = repeated.GetChallenge().GetId() == seen.ChallengeID
	found, err := client.GetRaisedChallenge(ctx, &threedsv1.GetRaisedChallengeRequest{
		Key: &threedsv1.GetRaisedChallengeRequest_Reference{Reference: "go-1"},
	})
	if err != nil {
		return seen, err
	}
	seen.SameByReference = found.GetChallenge().GetId() == seen.ChallengeID
	listed, err := client.ListRaisedChallenges(ctx, &threedsv1.ListRaisedChallengesRequest{
		Status: threedsv1.ChallengeStatus_CHALLENGE_STATUS_PENDING,
		Page:   &commonv1.PageRequest{Limit: 10},
	})
	if err != nil {
		return seen, err
	}
	for _, challenge := range listed.GetChallenges() {
		seen.Listed = seen.Listed || challenge.GetId() == seen.ChallengeID
	}

	if _, err = client.CancelChallenge(ctx, &threedsv1.CancelChallengeRequest{ChallengeId: seen.ChallengeID}); err != nil {
		return seen, err
	}
	cancelled := threedsv1.ChallengeStatus_CHALLENGE_STATUS_CANCELLED
	var first string
	if seen.Watched, first, err = watchUntil(stream, seen.ChallengeID, cancelled); err != nil {
		return seen, fmt.Errorf("watch: %w", err)
	}
	again, err := client.WatchRaisedChallenges(watching, &threedsv1.WatchRaisedChallengesRequest{LastEventId: first})
	if err != nil {
		return seen, err
	}
	if len(seen.Watched) > 1 {
		seen.Resumed, _, err = watchUntil(again, seen.ChallengeID, cancelled)
	}
	return seen, err
}
