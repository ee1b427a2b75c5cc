import { z } from 'zod';

/** A schema with another definition and the same description. A component of the document is one schema, so its name stays with the original. */
const changed = <S extends z.ZodType>(schema: S, def: object): S => {
  const { id: _id, ...described } = schema.meta() ?? {};
  return z.core.clone(schema, def as S['_zod']['def']).meta(described) as S;
};

/** The same schema, with its checks and descriptions, whose objects reject unknown fields at any depth, but for those that are declared loose. */
export const closed = (schema: z.ZodType): z.ZodType => {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    const inner = schema.def.innerType as z.ZodType;
    const innerType = closed(inner);
    return innerType === inner ? schema : changed(schema, { ...schema.def, innerType });
  }
  if (schema instanceof z.ZodArray) {
    const element = closed(schema.def.element as z.ZodType);
    return element === schema.def.element ? schema : changed(schema, { ...schema.def, element });
  }
  if (!(schema instanceof z.ZodObject)) return schema;
  const { catchall = z.never() } = schema.def;
  const fields = Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, field]) => ({ name, field, closed: closed(field) }));
  if (catchall === schema.def.catchall && fields.every((one) => one.closed === one.field)) return schema;
  const shape = Object.fromEntries(fields.map((one) => [one.name, one.closed]));
  return changed(schema, { ...schema.def, shape, catchall });
};
