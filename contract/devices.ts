/** The parts of a device's name. Each language combines them in its own way. A part is null if the browser did not send it. */
export type DeviceParts = {
  /** The browser's name, such as 'Chrome'. */
  browser: string | null
  /** The device's operating system, such as 'Android', or its model, such as 'iPhone'. */
  system: string | null
  /**
   * The kind of person who acted, if the event was not caused by a device of the customer. The customer must not learn which
   * person it was.
   */
  by?: 'review_desk' | 'another_customer' | undefined
}

/** The names of devices. */
export const DEVICE_NAMES = {
  on_system: '{browser} on {system}',
  unknown: 'Unknown device',
  review_desk: "Alder's review desk",
  another_customer: 'Another customer',
} as const
