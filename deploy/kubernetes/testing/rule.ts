import type { KubernetesObject } from '#libs/testing/kubernetes/kubernetes-object.js'

/** A rule about all objects of a build together. */
export interface Rule {
  /** The promise, as a sentence. */
  readonly name: string
  /** One line per violation. */
  find(objects: readonly KubernetesObject[]): readonly string[]
}
