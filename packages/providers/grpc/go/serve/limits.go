package serve

import (
	"context"
	"sync"
)

// slots bounds how many methods of one kind run at the same time.
type slots chan struct{}

func newSlots(count int) slots {
	return make(slots, count)
}

func (s slots) take(ctx context.Context) error {
	select {
	case s <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (s slots) free() {
	<-s
}

// oneAtATime keeps two methods from working on the same object: a method goes on in the provider after its deadline, when the
// next one for the same Service may be here already, and both would make the same load balancer.
type oneAtATime struct {
	mutex sync.Mutex
	held  map[string]*turn
}

type turn struct {
	free  chan struct{}
	users int
}

func newOneAtATime() *oneAtATime {
	return &oneAtATime{held: map[string]*turn{}}
}

// take waits until nothing works on the key; the function that it returns lets the next one.
func (o *oneAtATime) take(ctx context.Context, key string) (func(), error) {
	mine := o.join(key)
	select {
	case mine.free <- struct{}{}:
		return func() {
			<-mine.free
			o.leave(key, mine)
		}, nil
	case <-ctx.Done():
		o.leave(key, mine)
		return nil, context.Cause(ctx)
	}
}

func (o *oneAtATime) join(key string) *turn {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	mine := o.held[key]
	if mine == nil {
		mine = &turn{free: make(chan struct{}, 1)}
		o.held[key] = mine
	}
	mine.users++
	return mine
}

func (o *oneAtATime) leave(key string, mine *turn) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	mine.users--
	if mine.users == 0 {
		delete(o.held, key)
	}
}
