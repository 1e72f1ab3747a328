import { Trans, useLingui } from '@lingui/react/macro'
import { QrCode } from '#web/ui/qr-code.tsx'
import { Card } from '#web/ui/screen.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** The details for somebody else's camera: as text, which every phone shows and can copy. `text` is null while it is loaded. */
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
            <Trans comment="A QR code">Scan to Copy</Trans>
          </h2>
          <p className="mt-0.5 text-[0.9375rem] text-pretty text-ink-soft">
            <Trans>Any phone's camera reads all of these details from it.</Trans>
          </p>
        </div>
      </div>
    </Card>
  )
}
