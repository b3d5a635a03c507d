# docker buildx bake --file docker-bake.hcl            builds every image for this machine
# docker buildx bake --file docker-bake.hcl release    builds them for both platforms with provenance and a list of their
#   parts; add --push. It needs a builder that can do so: docker buildx create --use
# Without --file it reads docker-compose.yml as well, and asks for the .env of that.
variable "REGISTRY" {
  default = "snipkeep"
}

variable "VERSION" {
  default = "0.2.0"
}

variable "REVISION" {
  default = "unknown"
}

variable "NODE_IMAGE" {
  default = "node:24-bookworm-slim"
}

group "default" {
  targets = ["image"]
}

group "release" {
  targets = ["released"]
}

target "_common" {
  context = "."
  args = {
    NODE_IMAGE = NODE_IMAGE
    REVISION   = REVISION
    VERSION    = VERSION
  }
}

target "image" {
  inherits = ["_common"]
  name     = process
  matrix = {
    process = ["gateway", "web", "content", "identity", "activity", "billing", "tools", "issuer", "sandbox", "all-in-one"]
  }
  target = process
  tags   = ["${REGISTRY}/${process}:${VERSION}"]
}

target "released" {
  inherits = ["_common"]
  name     = "${process}-released"
  matrix = {
    process = ["gateway", "web", "content", "identity", "activity", "billing", "tools", "all-in-one"]
  }
  target    = process
  platforms = ["linux/amd64", "linux/arm64"]
  tags      = ["${REGISTRY}/${process}:${VERSION}"]
  attest = [
    "type=provenance,mode=max",
    "type=sbom",
  ]
}
