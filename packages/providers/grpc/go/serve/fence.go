package serve

import (
	"sync"
	"time"

	providerv1 "cloudwright.io/provider/gen/cloudwright/provider/v1"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// fence refuses changes that a replica without the Lease asked for.
type fence struct {
	mutex sync.Mutex
	term  uint64
	// Until when the Lease of that term holds for certain. After that a lower term is no older one: the Lease was made anew.
	validUntil time.Time
}

// admit refuses a request whose Lease is over or was lost to a later term. It is asked again right before the provider's method.
func (f *fence) admit(sent *providerv1.Fence, now time.Time) error {
	if sent == nil {
		return invalidRequest("a change was asked for without a fence")
	}
	validUntil := time.UnixMilli(sent.GetValidUntilMs())
	if !now.Before(validUntil) {
		return status.Errorf(codes.Aborted, "the Lease of %s held until %s for certain, which is over: nothing was changed", sent.GetHolder(), validUntil.UTC().Format(time.RFC3339Nano))
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if sent.GetTerm() < f.term && now.Before(f.validUntil) {
		return status.Errorf(codes.Aborted, "%s held the Lease in term %d, and term %d has begun: nothing was changed", sent.GetHolder(), sent.GetTerm(), f.term)
	}
	if sent.GetTerm() != f.term || validUntil.After(f.validUntil) {
		f.term, f.validUntil = sent.GetTerm(), validUntil
	}
	return nil
}
