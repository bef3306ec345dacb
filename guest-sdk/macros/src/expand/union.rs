//! The derive for unions.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use crate::model::Union;

pub(crate) fn union(union: &Union) -> TokenStream {
    let ident = &union.ident;
    let (variants, types): (Vec<_>, Vec<_>) = union.variants.iter().map(|(ident, ty)| (ident, ty)).unzip();
    let specs = types.iter().map(|ty| quote_spanned!(ty.span()=> ::bulkhead_sdk::value::type_spec::<#ty>(types)));
    quote! {
        impl ::bulkhead_sdk::Union for #ident {}

        impl ::bulkhead_sdk::value::Property for #ident {
            fn type_spec(types: &mut ::bulkhead_sdk::schema::Types) -> ::bulkhead_sdk::schema::TypeSpec {
                let specs = ::std::vec![#(#specs),*];
                ::bulkhead_sdk::schema::TypeSpec::one_of(specs)
            }

            fn from_value(
                value: ::bulkhead_sdk::Value,
            ) -> ::core::result::Result<Self, ::bulkhead_sdk::value::Misfit> {
                #(
                    if let ::core::result::Result::Ok(held) =
                        ::bulkhead_sdk::value::Property::from_value(::core::clone::Clone::clone(&value))
                    {
                        return ::core::result::Result::Ok(Self::#variants(held));
                    }
                )*
                ::core::result::Result::Err(::bulkhead_sdk::value::Misfit::no_member(&value))
            }

            fn to_value(&self) -> ::core::result::Result<::bulkhead_sdk::Value, ::bulkhead_sdk::value::Misfit> {
                match self {
                    #(Self::#variants(held) => ::bulkhead_sdk::value::Property::to_value(held),)*
                }
            }
        }
    }
}
