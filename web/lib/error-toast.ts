import { toast } from '#web/lib/toast.ts'
import { isCancelled, messageOf } from '#web/lib/api.ts'

/** The message for a failed request; null if there was no error, or if the customer cancelled it. */
export function errorMessage(error: unknown): string | null {
  return error === null || isCancelled(error) ? null : messageOf(error)
}

/** Shows that message in a toast. */
export function toastError(error: unknown): void {
  const message = errorMessage(error)
  if (message !== null) toast.error(message)
}
