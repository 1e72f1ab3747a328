/** What is known of a device, in parts that each language puts together its own way; null where it was not told. */
export type DeviceParts = {
  /** 'Chrome'. */
  browser: string | null
  /** 'Android', 'iPhone'. */
  system: string | null
  /** Who it was where no device of the customer's did it. Which person is not theirs to know. */
  by?: 'review_desk' | 'another_customer' | undefined
}

/** What a device is called. */
export const DEVICE_NAMES = {
  on_system: '{browser} on {system}',
  unknown: 'Unknown device',
  review_desk: "Alder's review desk",
  another_customer: 'Another customer',
} as const
