module example.org/cloudwright-provider-hcloud

go 1.26.0

require cloudwright.io/provider v0.1.0

// Until the module is published: the folder go of a checkout of Cloudwright.
replace cloudwright.io/provider => ../go
