package serve

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	providerv1 "cloudwright.io/provider/gen/cloudwright/provider/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	cloudprovider "k8s.io/cloud-provider"
)

const (
	notFound     = providerv1.FailureCode_FAILURE_CODE_NOT_FOUND
	throttled    = providerv1.FailureCode_FAILURE_CODE_THROTTLED
	quota        = providerv1.FailureCode_FAILURE_CODE_QUOTA_EXCEEDED
	unauthorized = providerv1.FailureCode_FAILURE_CODE_UNAUTHORIZED
	conflict     = providerv1.FailureCode_FAILURE_CODE_CONFLICT
	invalid      = providerv1.FailureCode_FAILURE_CODE_INVALID
	unavailable  = providerv1.FailureCode_FAILURE_CODE_UNAVAILABLE
	timedOut     = providerv1.FailureCode_FAILURE_CODE_TIMED_OUT
	unsupported  = providerv1.FailureCode_FAILURE_CODE_UNSUPPORTED
	unknown      = providerv1.FailureCode_FAILURE_CODE_UNSPECIFIED
)

// operation is one method of the provider, as a failure and a record name it.
type operation struct {
	name    string
	target  string
	mutates bool
}

// classifier turns errors of a provider into failures: by the provider's own rules first, then by what errors of Go SDKs have in common.
type classifier struct {
	own func(error) *Failure
}

// failure never is nil.
func (c classifier) failure(err error, of operation) *Failure {
	failure := c.ownFailure(err)
	if failure == nil {
		failure = Classify(err)
	}
	failure.Operation = firstOf(failure.Operation, of.name)
	failure.Target = firstOf(failure.Target, of.target)
	if of.mutates && outcomeIsOpen(failure.Code) {
		failure.MayBeDone = true
	}
	return failure
}

func (c classifier) ownFailure(err error) *Failure {
	if c.own == nil {
		return nil
	}
	failure := c.own(err)
	if failure == nil {
		return nil
	}
	failure.Message = firstOf(failure.Message, bounded(err.Error()))
	return failure
}

func firstOf(given, otherwise string) string {
	if given != "" {
		return given
	}
	return otherwise
}

// outcomeIsOpen: whether the cloud may have made the change, or part of it, although the method failed.
func outcomeIsOpen(code providerv1.FailureCode) bool {
	return code == unavailable || code == timedOut || code == unknown
}

// Classify maps an error by what errors of Go SDKs have in common, without any of them: upstream's own errors, deadlines, the
// network, an error code, an HTTP status. What nothing is known of is UNSPECIFIED, which Cloudwright retries.
func Classify(err error) *Failure {
	failure := &Failure{Message: bounded(err.Error()), CloudCode: errorCodeOf(err), Status: statusOf(err), RequestId: requestIDOf(err)}
	failure.RetryAfterMs = retryAfterOf(err)
	failure.Code = codeOf(err, failure)
	return failure
}

func codeOf(err error, failure *Failure) providerv1.FailureCode {
	for _, code := range []providerv1.FailureCode{
		codeOfUpstream(err), codeOfErrorCode(failure.GetCloudCode()), codeOfStatus(failure.GetStatus()), codeOfTransport(err),
	} {
		if code != unknown {
			return code
		}
	}
	if failure.RetryAfterMs != nil {
		// Upstream's RetryError: the load balancer is on its way, and the same call asks again later.
		return unavailable
	}
	return unknown
}

func codeOfUpstream(err error) providerv1.FailureCode {
	switch {
	case errors.Is(err, cloudprovider.ImplementedElsewhere), errors.Is(err, cloudprovider.NotImplemented):
		return unsupported
	case errors.Is(err, cloudprovider.InstanceNotFound), errors.Is(err, cloudprovider.DiskNotFound):
		return notFound
	case errors.As(err, new(*panicError)):
		return unavailable
	}
	return codeOfKubernetes(err)
}

// codeOfKubernetes is of a provider that asks the cluster itself.
func codeOfKubernetes(err error) providerv1.FailureCode {
	switch {
	case apierrors.IsForbidden(err), apierrors.IsUnauthorized(err):
		return unauthorized
	case apierrors.IsTooManyRequests(err):
		return throttled
	case apierrors.IsConflict(err), apierrors.IsAlreadyExists(err):
		return conflict
	}
	return unknown
}

// The words of error codes that clouds share. The first that fits counts: `RequestLimitExceeded` is throttling and no quota.
var errorCodes = []struct {
	code  providerv1.FailureCode
	words *regexp.Regexp
}{
	{throttled, regexp.MustCompile(`(?i)throttl|RequestLimitExceeded|RequestThrottled|TooManyRequests|RateLimit|RateExceeded|SlowDown|PriorRequestNotComplete`)},
	{unauthorized, regexp.MustCompile(`(?i)Unauthori[sz]ed|AccessDenied|AuthFailure|AuthorizationFailed|Authentication|Forbidden|ExpiredToken|InvalidClientTokenId|SignatureDoesNotMatch|UnrecognizedClient|MissingAuth|InvalidAccessKey`)},
	{quota, regexp.MustCompile(`(?i)Quota|LimitExceeded|LimitReached|^TooMany|Insufficient.*Capacity|ResourceExhausted`)},
	{notFound, regexp.MustCompile(`(?i)NotFound|NoSuch|DoesNotExist|NotExist`)},
	{conflict, regexp.MustCompile(`(?i)DependencyViolation|InUse|AlreadyExist|AlreadyAssociated|Duplicate|IncorrectState|InvalidState|InProgress|Conflict|Locked|PreconditionFailed`)},
	{timedOut, regexp.MustCompile(`(?i)RequestTimeout|GatewayTimeout`)},
	{unavailable, regexp.MustCompile(`(?i)Internal(Error|Failure|ServerError)|Unavailable|ServiceError`)},
	{invalid, regexp.MustCompile(`(?i)^Invalid|Validation|Malformed|MissingParameter|UnknownParameter|BadRequest|UnsupportedOperation`)},
}

func codeOfErrorCode(code string) providerv1.FailureCode {
	if code == "" {
		return unknown
	}
	for _, entry := range errorCodes {
		if entry.words.MatchString(code) {
			return entry.code
		}
	}
	return unknown
}

func codeOfStatus(status uint32) providerv1.FailureCode {
	switch status {
	case http.StatusTooManyRequests:
		return throttled
	case http.StatusUnauthorized, http.StatusForbidden:
		return unauthorized
	case http.StatusNotFound, http.StatusGone:
		return notFound
	case http.StatusConflict, http.StatusLocked, http.StatusPreconditionFailed:
		return conflict
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		return invalid
	case http.StatusRequestTimeout, http.StatusGatewayTimeout:
		return timedOut
	}
	if status >= http.StatusInternalServerError {
		return unavailable
	}
	return unknown
}

func codeOfTransport(err error) providerv1.FailureCode {
	var slow interface{ Timeout() bool }
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) || errors.As(err, &slow) && slow.Timeout() {
		return timedOut
	}
	var passing interface{ Temporary() bool }
	var network net.Error
	var number syscall.Errno
	if errors.Is(err, context.Canceled) || errors.As(err, &network) || errors.As(err, &number) || errors.As(err, &passing) && passing.Temporary() {
		return unavailable
	}
	return unknown
}

// retryAfterOf is of upstream's RetryError and of any error like it.
func retryAfterOf(err error) *uint64 {
	var retry interface{ RetryAfter() time.Duration }
	if !errors.As(err, &retry) || retry.RetryAfter() < 0 {
		return nil
	}
	after := uint64(retry.RetryAfter().Milliseconds())
	return &after
}

func errorCodeOf(err error) string {
	var coded interface{ ErrorCode() string }
	if errors.As(err, &coded) {
		return coded.ErrorCode()
	}
	return stringField(err, "ErrorCode", "Code")
}

func statusOf(err error) uint32 {
	var byHTTP interface{ HTTPStatusCode() int }
	var byGet interface{ GetStatusCode() int }
	switch {
	case errors.As(err, &byHTTP):
		return asStatus(byHTTP.HTTPStatusCode())
	case errors.As(err, &byGet):
		return asStatus(byGet.GetStatusCode())
	}
	return statusField(err)
}

func requestIDOf(err error) string {
	var numbered interface{ ServiceRequestID() string }
	if errors.As(err, &numbered) {
		return numbered.ServiceRequestID()
	}
	return ""
}

func asStatus(status int) uint32 {
	if status < 100 || status > 599 {
		return 0
	}
	return uint32(status)
}

// stringField reads a field of the error itself, as several SDKs have fields and no methods.
func stringField(err error, names ...string) string {
	for _, value := range chain(err) {
		for _, name := range names {
			if field := value.FieldByName(name); field.IsValid() && field.Kind() == reflect.String {
				return field.String()
			}
		}
	}
	return ""
}

func statusField(err error) uint32 {
	for _, value := range chain(err) {
		for _, name := range []string{"StatusCode", "Code", "Actual"} {
			if field := value.FieldByName(name); field.IsValid() && field.CanInt() && asStatus(int(field.Int())) > 0 {
				return asStatus(int(field.Int()))
			}
		}
		if status := statusOfResponse(value.FieldByName("Response")); status > 0 {
			return status
		}
	}
	return 0
}

func statusOfResponse(field reflect.Value) uint32 {
	if !field.IsValid() || !field.CanInterface() {
		return 0
	}
	if response, ok := field.Interface().(*http.Response); ok && response != nil {
		return asStatus(response.StatusCode)
	}
	return 0
}

// chain is the structs of an error and of those that it wraps, without errors of the language's own library.
func chain(err error) []reflect.Value {
	var values []reflect.Value
	for ; err != nil; err = errors.Unwrap(err) {
		value := reflect.ValueOf(err)
		for value.Kind() == reflect.Pointer && !value.IsNil() {
			value = value.Elem()
		}
		if value.Kind() == reflect.Struct && strings.Contains(value.Type().PkgPath(), ".") {
			values = append(values, value)
		}
	}
	return values
}

const longestMessage = 4096

func bounded(text string) string {
	if len(text) <= longestMessage {
		return text
	}
	return strings.ToValidUTF8(text[:longestMessage], "") + "…"
}

// panicError is a panic in a method of the provider: that call's failure, and no other's.
type panicError struct {
	value any
}

func (p *panicError) Error() string {
	return fmt.Sprintf("the provider panicked: %v", p.value)
}

func (p *panicError) Unwrap() error {
	err, _ := p.value.(error)
	return err
}

func is(code providerv1.FailureCode, any ...providerv1.FailureCode) bool {
	return slices.Contains(any, code)
}
