import { Trans, useLingui } from '@lingui/react/macro'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { saveFile } from '#web/lib/download.ts'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

const FILE = 'alder-recovery-codes.txt'

/** Returns the recovery codes as text for storage outside of the bank. */
function useText(codes: readonly string[]): string {
  const { t } = useLingui()
  return [
    t`Alder recovery codes`,
    t`Each code works once, in place of a code from your authenticator app.`,
    '',
    ...codes,
    '',
  ].join('\n')
}

type RecoveryCodesSheetProps = { codes: readonly string[]; open: boolean; onClose: () => void }

/**
 * Shows the recovery codes, which are visible only once. The first attempt to close the sheet without the button "I've Saved
 * Them" shows a warning instead.
 */
export function RecoveryCodesSheet({ codes, open, onClose }: RecoveryCodesSheetProps) {
  const { t } = useLingui()
  const text = useText(codes)
  const [isWarned, setWarned] = useState(false)
  function close(): void {
    setWarned(false)
    onClose()
  }
  return (
    <Sheet
      open={open}
      onOpenChange={(next) => {
        if (next) return
        if (isWarned) close()
        else setWarned(true)
      }}
      title={t`Recovery codes`}
      description={t`Keep these codes somewhere you can reach without your phone.`}
      footer={
        <Button onClick={close} className="w-full">
          <Trans comment={'"Them" are the recovery codes'}>I've Saved Them</Trans>
        </Button>
      }
    >
      <p className="text-pretty text-ink-soft">
        <Trans>
          Each code signs you in once when you don't have your authenticator app. We only show them now, so keep them
          somewhere you can reach without your phone.
        </Trans>
      </p>
      <ul
        aria-label={t`Recovery codes`}
        className="tabular my-4 grid grid-cols-[repeat(auto-fit,minmax(min(100%,7.5rem),1fr))] gap-x-4 gap-y-2 rounded-card border border-line bg-surface p-4 font-medium"
      >
        {codes.map((code) => (
          <li key={code} className="text-center tracking-wide select-all">
            {code}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2.5">
        <CopyButton
          text={text}
          label={t({ message: 'Copy', context: 'button' })}
          message={t`Recovery codes copied`}
          className="flex-auto"
        />
        <Button
          variant="secondary"
          icon={<Download aria-hidden className="size-5" strokeWidth={2} />}
          onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), FILE)}
          className="flex-auto"
        >
          <Trans context="button">Download</Trans>
        </Button>
      </div>
      {isWarned && (
        <p role="alert" className="mt-4 rounded-control bg-warning-subtle px-4 py-3 text-sm font-medium text-warning">
          <Trans>Save your codes first. We can't show them again. To continue without them, close this again.</Trans>
        </p>
      )}
    </Sheet>
  )
}
