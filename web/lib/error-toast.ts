import { toast } from '#web/lib/toast.ts'
import { isCanceledError, messageOf } from '#web/lib/api.ts'

/** Returns the message for a failed request; null without an error, or if the customer canceled it. */
export function errorMessage(error: unknown): string | null {
  return error === null || isCanceledError(error) ? null : messageOf(error)
}

/** Shows the message for a failed request in a toast. */
export function toastError(error: unknown): void {
  const message = errorMessage(error)
  if (message !== null) toast.error(message)
}
