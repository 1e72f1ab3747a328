import { Trans, useLingui } from '@lingui/react/macro'
import { QrCode } from '#web/ui/qr-code.tsx'
import { Card } from '#web/ui/screen.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/**
 * Shows the details as a QR code of plain text, which every phone can display and copy. `text` is null while the details load.
 */
export function ScanCard({ text }: { text: string | null }) {
  const { t } = useLingui()
  return (
    <Card className="@container">
      <div className="flex flex-wrap items-center justify-center gap-x-5 gap-y-3 p-4">
        {text === null ? (
          <Skeleton className="size-36 shrink-0 rounded-control" />
        ) : (
          <QrCode
            text={text}
            label={t`QR code with your account details`}
            className="w-36 shrink-0 rounded-control border border-line"
          />
        )}
        <div className="min-w-0 flex-[1_1_10rem] @max-[20rem]:text-center">
          <h2 className="font-medium">
            <Trans comment={'"This" is a QR code'}>Scan to Copy</Trans>
          </h2>
          <p className="mt-0.5 text-[0.9375rem] text-pretty text-ink-soft">
            <Trans>Any phone camera can read all of these details.</Trans>
          </p>
        </div>
      </div>
    </Card>
  )
}
