import type { KubernetesObject } from '#libs/testing/kubernetes/kubernetes-object.js'

/** Something that must hold of all objects of a build together. */
export interface Rule {
  /** The promise that it keeps. */
  readonly name: string
  /** A line for everything that breaks it. */
  find(objects: readonly KubernetesObject[]): readonly string[]
}
