import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Share } from 'lucide-react'
import type { Rewards } from '#contract/rewards-api.ts'
import { EARN } from '#contract/rewards.ts'
import { money } from '#web/i18n/formats.ts'
import { shareText } from '#web/lib/share.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Card, Section } from '#web/ui/screen.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** Shows the customer's referral code for friends. */
export function Invite({ referral }: { referral: Rewards['referral'] | undefined }) {
  const { t } = useLingui()
  const points = money(EARN.refer_friend, 'POINTS')
  return (
    <Section title={t`Invite Friends`}>
      <Card className="p-4">
        <p className="text-[0.9375rem] text-pretty text-ink-soft">
          <Trans>
            Send a friend your link. When they sign up with it and verify their identity, you get {points} points.
          </Trans>
        </p>
        <p className="mt-3.5 rounded-control bg-muted px-4 py-3 text-center text-xl font-semibold tracking-[0.12em]">
          {referral ? (
            <bdi className="tabular break-all">{referral.code}</bdi>
          ) : (
            <Skeleton line className="mx-auto w-32" />
          )}
        </p>
        {referral ? (
          <Sharing referral={referral} />
        ) : (
          <div className="mt-3.5 flex gap-2.5">
            <Skeleton className="h-13 flex-1 !rounded-control" />
            <Skeleton className="h-13 flex-1 !rounded-control" />
          </div>
        )}
      </Card>
    </Section>
  )
}

function Sharing({ referral: { code, friends } }: Pick<Rewards, 'referral'>) {
  const { t } = useLingui()
  const url = `${location.origin}${paths.signup}?ref=${code}`
  return (
    <>
      <div className="mt-3.5 flex flex-wrap gap-2.5">
        <CopyButton text={url} label={t`Copy Link`} message={t`Link copied`} className="flex-auto" />
        <Button
          className="flex-auto"
          icon={<Share aria-hidden className="size-5" strokeWidth={2} />}
          onClick={() =>
            void shareText({ title: t`Join me at Alder`, text: t`Open an account at Alder with my link:`, url })
          }
        >
          <Trans>Share</Trans>
        </Button>
      </div>
      {friends > 0 && (
        <p className="mt-3 text-center text-sm text-ink-soft">
          <Plural value={friends} one="# friend has joined" other="# friends have joined" />
        </p>
      )}
    </>
  )
}
