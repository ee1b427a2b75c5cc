module florin-client

go 1.24.0

require (
	github.com/decred/dcrd/dcrec/secp256k1/v4 v4.4.0
	golang.org/x/crypto v0.45.0
)

require golang.org/x/sys v0.38.0 // indirect
