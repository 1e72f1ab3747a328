import { useMutation } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { toast } from 'sonner'
import { messageOf } from '#web/lib/api.ts'
import { paths } from '#web/lib/paths.ts'
import { startOver } from '#web/sample/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

/** Opens a new sample customer, after a confirmation. */
export function StartOver() {
  const [asking, setAsking] = useState(false)
  const { mutate, isPending, isSuccess } = useMutation({
    mutationFn: startOver,
    // A second try would make a second customer.
    retry: false,
    // Loaded anew, so that nothing of the customer before stays on the screen or keeps listening.
    onSuccess: () => location.replace(paths.dashboard),
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
        Start Over
      </Button>
      <Sheet
        open={asking}
        onOpenChange={setAsking}
        title="Start over?"
        description="You become a new sample customer."
        footer={
          <div className="flex flex-col gap-2">
            <Button busy={busy} onClick={() => mutate()}>
              Become a new customer
            </Button>
            <Button variant="secondary" disabled={busy} onClick={() => setAsking(false)}>
              Stay who I am
            </Button>
          </div>
        }
      >
        <p className="text-pretty text-ink-soft">
          You get another name and a story from the beginning. The customer you are now stays in the bank's books, but
          there is no way back to being them.
        </p>
      </Sheet>
    </>
  )
}
