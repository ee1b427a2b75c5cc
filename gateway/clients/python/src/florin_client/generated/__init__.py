# Generated from the OpenAPI document by `npm run generate`; do not edit.
