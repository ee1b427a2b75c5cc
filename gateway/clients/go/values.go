package florin

import "encoding/json"

// Ptr returns a pointer to a value, for optional fields.
func Ptr[T any](value T) *T { return &value }

// Nullable is a field for which null means something else than leaving it out, for example a limit: null removes it.
type Nullable[T any] struct{ value *T }

// Set sets the field.
func Set[T any](value T) *Nullable[T] { return &Nullable[T]{&value} }

// Null sets the field to null.
func Null[T any]() *Nullable[T] { return &Nullable[T]{} }

func (n Nullable[T]) MarshalJSON() ([]byte, error) { return json.Marshal(n.value) }

func (n *Nullable[T]) UnmarshalJSON(data []byte) error { return json.Unmarshal(data, &n.value) }

// List is a list that is sent even if it is empty.
type List[T any] []T

func (l List[T]) MarshalJSON() ([]byte, error) {
	if l == nil {
		return []byte("[]"), nil
	}
	return json.Marshal([]T(l))
}
