import { useLingui } from '@lingui/react/macro'
import { Mail, MessageCircle, Phone } from 'lucide-react'
import { SUPPORT } from '#web/help/support.ts'
import { paths } from '#web/lib/paths.ts'
import { EmailText } from '#web/ui/email-text.tsx'
import { LinkRow } from '#web/ui/row.tsx'
import { Card } from '#web/ui/screen.tsx'

/** Lists the ways to contact support. */
export function ContactOptions() {
  const { t } = useLingui()
  return (
    <Card className="divide-y divide-line">
      <LinkRow
        icon={MessageCircle}
        title={t`Live Chat`}
        description={t`Chat with our AI advisor`}
        to={paths.aiAdvisor}
      />
      <LinkRow
        icon={Mail}
        tint="blue"
        title={t`Email Support`}
        description={<EmailText email={SUPPORT.email} />}
        to={`mailto:${SUPPORT.email}`}
      />
      <LinkRow
        icon={Phone}
        tint="purple"
        title={t`Phone Support`}
        description={<bdi dir="ltr">{SUPPORT.phone}</bdi>}
        to={`tel:${SUPPORT.phone.replaceAll(' ', '')}`}
      />
    </Card>
  )
}
