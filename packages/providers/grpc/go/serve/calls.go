package serve

import (
	"context"
	"runtime/debug"
	"sync"
	"time"

	providerv1 "cloudwright.io/provider/gen/cloudwright/provider/v1"
	"k8s.io/klog/v2"
)

// record gathers the methods of the provider that one request led to: each is one call in Cloudwright's ledger, as upstream's
// interface does not say how many calls to the cloud a method makes.
type record struct {
	classify classifier
	mutex    sync.Mutex
	calls    []*providerv1.CloudCall
}

func (r *record) made() []*providerv1.CloudCall {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.calls
}

func (r *record) add(of operation, started time.Time, err error) {
	call := &providerv1.CloudCall{
		Operation: of.name, Target: of.target, Mutates: of.mutates,
		StartedMs: started.UnixMilli(), DurationMs: uint32(time.Since(started).Milliseconds()),
	}
	if err != nil && !isAnswer(err) {
		call.Failure = r.classify.failure(err, of)
		call.Status, call.RequestId = call.Failure.GetStatus(), call.Failure.GetRequestId()
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.calls = append(r.calls, call)
}

// call carries out one method of the provider. A panic is this call's error, and its stack is in the log.
func (r *record) call(of operation, method func() error) (err error) {
	started := time.Now()
	defer func() { r.add(of, started, err) }()
	return guarded(of, method)
}

func guarded(of operation, method func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &panicError{value: value}
			klog.ErrorS(err, "A method of the provider panicked", "method", of.name, "target", of.target, "stack", string(debug.Stack()))
		}
	}()
	return method()
}

// change carries out a method that changes the cloud: alone on its key, within the bounds of its kind, and only while the Lease
// that the request was sent under still holds.
func (s *server) change(ctx context.Context, of changing, method func(*record) error) (*record, error) {
	made := s.newRecord()
	if err := s.fence.admit(of.fence, time.Now()); err != nil {
		return made, err
	}
	soon, cancel := shortlyBefore(ctx)
	defer cancel()
	leave, err := s.turns.take(soon, of.key)
	if err != nil {
		return made, nothingDone(ctx, of.operation)
	}
	defer leave()
	if err := of.slots.take(soon); err != nil {
		return made, nothingDone(ctx, of.operation)
	}
	defer of.slots.free()
	// It may have waited long.
	if err := s.fence.admit(of.fence, time.Now()); err != nil {
		return made, err
	}
	if err := method(made); err != nil {
		return made, failedCall(ctx, s.classify.failure(err, of.operation))
	}
	return made, nil
}

type changing struct {
	operation
	fence *providerv1.Fence
	// What no two changes may work on at the same time.
	key   string
	slots slots
}

// nothingDone: the request's time was over before the provider's method was called.
func nothingDone(ctx context.Context, of operation) error {
	return failedCall(ctx, &Failure{
		Code: timedOut, Operation: of.name, Target: of.target,
		Message: "the time was over while earlier calls of the provider were under way; nothing was changed",
	})
}

// read carries out a method that changes nothing, within the bounds of its kind.
func (s *server) read(ctx context.Context, within slots, of operation, method func(*record) error) (*record, error) {
	made := s.newRecord()
	if err := within.take(ctx); err != nil {
		return made, failedCall(ctx, s.classify.failure(err, of))
	}
	defer within.free()
	if err := method(made); err != nil {
		return made, failedCall(ctx, s.classify.failure(err, of))
	}
	return made, nil
}

func (s *server) newRecord() *record {
	return &record{classify: s.classify}
}

// each answers the items of a batch with as many workers as may run, and shortly before the request's deadline with what there is
// by then: `late` stands for the rest.
func each[Item, Answer any](ctx context.Context, items []Item, within slots, ask func(context.Context, Item) Answer, late func(Item) Answer) []Answer {
	until, cancel := shortlyBefore(ctx)
	defer cancel()
	answers := make([]Answer, len(items))
	for index, item := range items {
		answers[index] = late(item)
	}
	type answered struct {
		index  int
		answer Answer
	}
	// With room for every answer, so that none that comes too late keeps its worker.
	arrived := make(chan answered, len(items))
	next := make(chan int, len(items))
	for index := range items {
		next <- index
	}
	close(next)
	for range min(cap(within), len(items)) {
		go func() {
			for index := range next {
				if within.take(until) != nil {
					return
				}
				answer := ask(ctx, items[index])
				within.free()
				arrived <- answered{index, answer}
			}
		}()
	}
	for range items {
		select {
		case one := <-arrived:
			answers[one.index] = one.answer
		case <-until.Done():
			return answers
		}
	}
	return answers
}

const (
	leastMargin = 50 * time.Millisecond
	mostMargin  = time.Second
)

// shortlyBefore ends before the request's deadline, so that the answer still arrives.
func shortlyBefore(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, limited := ctx.Deadline()
	if !limited {
		return context.WithCancel(ctx)
	}
	margin := min(max(time.Until(deadline)/20, leastMargin), mostMargin)
	return context.WithDeadline(ctx, deadline.Add(-margin))
}
