import { i18n } from '@lingui/core'

/** Unit tests read the texts as they stand in the code. */
i18n.loadAndActivate({ locale: 'en', messages: {} })
