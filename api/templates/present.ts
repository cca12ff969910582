import type { Template } from '../../common/templates/model.ts';
import type { TemplateRecord } from './model.ts';

export function presentTemplate(record: TemplateRecord, isDefault: boolean): Template {
  return {
    id: record._id.toHexString(),
    name: record.name,
    type: record.type,
    template: record.template,
    isDefault,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  };
}
