import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { toast } from '#web/lib/toast.ts'
import { messageOf } from '#web/lib/api.ts'
import { clearOfflineCache } from '#web/lib/offline-cache.ts'
import { paths } from '#web/lib/paths.ts'
import { startOver } from '#web/sample/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

/** Creates a new sample customer after a confirmation. */
export function StartOver() {
  const { t } = useLingui()
  const [isAsking, setAsking] = useState(false)
  const { mutate, isPending, isSuccess } = useMutation({
    mutationFn: startOver,
    // A retry would create a second customer.
    retry: false,
    // The page is reloaded, so that no data and no listeners of the previous customer remain.
    onSuccess: () => {
      clearOfflineCache()
      location.replace(paths.dashboard)
    },
    onError: (error) => toast.error(messageOf(error)),
  })
  const busy = isPending || isSuccess
  return (
    <>
      <Button
        variant="secondary"
        icon={<RotateCcw aria-hidden className="size-5" strokeWidth={2} />}
        onClick={() => setAsking(true)}
      >
        <Trans comment="A button that replaces the sample customer with a new one">Start Over</Trans>
      </Button>
      <Sheet
        open={isAsking}
        onOpenChange={setAsking}
        title={t`Start over?`}
        description={t`You'll become a new sample customer.`}
        footer={
          <div className="flex flex-col gap-2">
            <Button busy={busy} onClick={() => mutate()}>
              <Trans>Start Over</Trans>
            </Button>
            <Button variant="secondary" disabled={busy} onClick={() => setAsking(false)}>
              <Trans>Keep This Customer</Trans>
            </Button>
          </div>
        }
      >
        <p className="text-pretty text-ink-soft">
          <Trans>
            You'll get a new name and a fresh history. Your current customer stays in the bank's records, but you can't
            go back to it.
          </Trans>
        </p>
      </Sheet>
    </>
  )
}
