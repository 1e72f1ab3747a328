import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Button } from '#web/ui/button.tsx'
import { focusOnMount } from '#web/ui/focus-on-mount.ts'
import { Sheet } from '#web/ui/sheet.tsx'

export type IdleSheetProps = { secondsLeft: number; onStay: () => void; onLeave: () => void }

/** Warns an idle customer before the automatic sign-out. */
export function IdleSheet({ secondsLeft, onStay, onLeave }: IdleSheetProps) {
  const { t } = useLingui()
  return (
    <Sheet
      open
      onOpenChange={onStay}
      title={t`Are you still there?`}
      description={t`We'll sign you out in a minute unless you stay.`}
      footer={
        <div className="flex gap-2.5">
          <Button variant="secondary" className="flex-1 !px-3" onClick={onLeave}>
            <Trans context="this session">Sign Out</Trans>
          </Button>
          <Button ref={focusOnMount} className="flex-1 !px-3" onClick={onStay}>
            <Trans>Stay Signed In</Trans>
          </Button>
        </div>
      }
    >
      <p className="text-pretty text-ink-soft">
        <Trans>
          You've been away for a while. To keep your money safe, we'll sign you out in{' '}
          <span role="timer" className="tabular font-semibold text-ink">
            <Plural value={secondsLeft} one="# second" other="# seconds" />
          </span>
          .
        </Trans>
      </p>
    </Sheet>
  )
}
