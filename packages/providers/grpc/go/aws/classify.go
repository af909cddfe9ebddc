package main

import (
	"errors"
	"regexp"
	"strconv"
	"strings"

	providerv1 "cloudwright.io/provider/gen/cloudwright/provider/v1"
	"github.com/aws/smithy-go"
)

// classify says what an error of AWS means; nil leaves it to what all providers have in common.
//
// The provider wraps some of its errors with %q, which keeps their text alone, so what the types do not tell is read from
// the text of the SDK.
func classify(err error) *providerv1.Failure {
	refusal := refusalOf(err)
	if code := codeWithoutAnswer(err.Error()); refusal.code == "" && code != 0 {
		return &providerv1.Failure{Code: code, Message: err.Error()}
	}
	code := meaningOf(refusal)
	if code == 0 {
		return nil
	}
	return &providerv1.Failure{
		Code:      code,
		Message:   err.Error(),
		Operation: refusal.operation,
		Status:    refusal.status,
		RequestId: refusal.requestID,
		CloudCode: refusal.code,
	}
}

// What AWS answered, as far as the error says.
type refusal struct {
	code      string
	operation string
	status    uint32
	requestID string
}

var (
	operationText = regexp.MustCompile(`operation error ([A-Za-z][\w ]*): (\w+)`)
	statusText    = regexp.MustCompile(`StatusCode: (\d{3})(?:, RequestID: ([\w-]+))?`)
	codeText      = regexp.MustCompile(`api error ([A-Za-z][\w.]*)`)
)

func refusalOf(err error) refusal {
	text := err.Error()
	var found refusal
	if match := operationText.FindStringSubmatch(text); match != nil {
		found.operation = nameOfOperation(match[1], match[2])
	}
	if match := statusText.FindStringSubmatch(text); match != nil {
		status, _ := strconv.ParseUint(match[1], 10, 32)
		found.status, found.requestID = uint32(status), match[2]
	}
	if match := codeText.FindStringSubmatch(text); match != nil {
		found.code = match[1]
	}
	var known smithy.APIError
	if errors.As(err, &known) {
		found.code = known.ErrorCode()
	}
	return found
}

// As IAM names the services.
var services = map[string]string{
	"Elastic Load Balancing":    "elasticloadbalancing",
	"Elastic Load Balancing v2": "elasticloadbalancing",
}

func nameOfOperation(service, operation string) string {
	name, known := services[service]
	if !known {
		name = strings.ToLower(strings.ReplaceAll(service, " ", ""))
	}
	return name + "." + operation
}

// What stops a call before it leaves: the SDK has no credentials to sign it with.
func codeWithoutAnswer(text string) providerv1.FailureCode {
	for _, sign := range []string{"failed to refresh cached credentials", "failed to retrieve credentials", "no EC2 IMDS role found"} {
		if strings.Contains(text, sign) {
			return providerv1.FailureCode_FAILURE_CODE_UNAUTHORIZED
		}
	}
	return 0
}

var throttled = setOf(
	"RequestLimitExceeded", "Throttling", "ThrottlingException", "ThrottledException", "RequestThrottled",
	"RequestThrottledException", "TooManyRequestsException", "EC2ThrottledException", "PriorRequestNotComplete",
	"SlowDown", "BandwidthLimitExceeded",
)

var unauthorized = setOf(
	"UnauthorizedOperation", "AccessDenied", "AccessDeniedException", "AuthFailure", "Blocked", "ExpiredToken",
	"ExpiredTokenException", "IncompleteSignature", "InvalidAccessKeyId", "InvalidClientTokenId", "InvalidSignatureException",
	"InvalidIdentityToken", "MissingAuthenticationToken", "NotAuthorized", "OptInRequired", "PendingVerification",
	"RequestExpired", "SignatureDoesNotMatch", "UnrecognizedClientException", "OperationNotPermitted",
)

var conflicts = setOf(
	"DependencyViolation", "ResourceInUse", "ResourceInUseException", "RouteAlreadyExists", "IncorrectState",
	"IncorrectInstanceState", "ResourceConflictException", "ConcurrentModificationException",
)

var unavailable = setOf("InternalError", "InternalFailure", "InternalServiceError", "ServerInternal")

// What may be asked for as it is and still has no place: the account or the subnet is full.
var exhausted = setOf("InsufficientFreeAddressesInSubnet", "InsufficientAddressCapacity", "InsufficientInstanceCapacity")

// The order decides: RequestLimitExceeded is no quota, and InvalidGroup.Duplicate is not invalid.
func meaningOf(found refusal) providerv1.FailureCode {
	code := found.code
	switch {
	case throttled[code], found.status == 503:
		return providerv1.FailureCode_FAILURE_CODE_THROTTLED
	case unauthorized[code], code == "" && (found.status == 401 || found.status == 403):
		return providerv1.FailureCode_FAILURE_CODE_UNAUTHORIZED
	case unavailable[code], found.status >= 500:
		return providerv1.FailureCode_FAILURE_CODE_UNAVAILABLE
	case code == "":
		return 0
	}
	return meaningOfName(code)
}

func meaningOfName(code string) providerv1.FailureCode {
	switch {
	case exhausted[code], isQuota(code):
		return providerv1.FailureCode_FAILURE_CODE_QUOTA_EXCEEDED
	case conflicts[code], strings.HasPrefix(code, "Duplicate"), strings.HasSuffix(code, ".Duplicate"), strings.HasSuffix(code, "InUse"):
		return providerv1.FailureCode_FAILURE_CODE_CONFLICT
	case strings.HasSuffix(code, "NotFound"), strings.HasSuffix(code, "NotFoundException"):
		return providerv1.FailureCode_FAILURE_CODE_NOT_FOUND
	case strings.HasPrefix(code, "Unsupported"):
		return providerv1.FailureCode_FAILURE_CODE_UNSUPPORTED
	case isInvalid(code):
		return providerv1.FailureCode_FAILURE_CODE_INVALID
	}
	return 0
}

func isQuota(code string) bool {
	return strings.HasSuffix(code, "LimitExceeded") || strings.HasSuffix(code, "LimitExceededException") || strings.HasPrefix(code, "TooMany")
}

func isInvalid(code string) bool {
	for _, start := range []string{"Invalid", "Validation", "Malformed", "Missing", "Unknown"} {
		if strings.HasPrefix(code, start) {
			return true
		}
	}
	return strings.HasSuffix(code, ".Malformed")
}

func setOf(names ...string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}
